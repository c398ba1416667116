import { Effect } from "effect"
import type { OffsetPagination } from "../../../feed/client/pageCalls.ts"
import type { Page } from "../../../feed/client/RawBody.ts"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { type Dialect, type DialectName, dialects } from "../../../feed/contract/dialect/dialects.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { requiredDialectAdvice, readingWords, dialectAdvice } from "../../../feed/reading/readingWords.ts"
import { isObject } from "../../../feed/rows/isObject.ts"
import { detectDialect } from "../../../feed/rows/detectDialect.ts"
import { grouped } from "../../../store/diff/formatAmount.ts"
import { boundsOf, defaultBounds, type Reason, sayings } from "../../../store/diff/judge.ts"
import { judgeSample } from "../../../store/diff/judgeSample.ts"
import { slips } from "../../../store/diff/rules/HoldRule.ts"
import { readCurrent, Home } from "../../../store/home/Home.ts"
import { readSnapshot } from "../../../store/home/Manifest.ts"
import { unknownKeysAdvice } from "../../../store/diff/heldAdvice.ts"

/** The result of reading a page of products as a night would. */
export interface WordsOfPage {
  readonly gameId: string
  /** Null if the page matches no dialect, or several. */
  readonly dialect: DialectName | null
  readonly products: number
  readonly withPrices: number
  readonly withIds: number
  /** Products with prices or ids under unknown keys, and these keys, most frequent first. */
  readonly notUnderstood: number
  readonly strangeKeys: ReadonlyArray<string>
  /** Products that the contract rejects. */
  readonly refused: number
}

/** The finding. `says` ends with the next step unless all is well. */
export interface WordsFound {
  readonly verdict: "ok" | "doubt" | "bad"
  readonly says: string
  readonly words: WordsOfPage
}

/** True if a value has no content: null, `{}` and the like. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (isObject(value) && Object.keys(value).length === 0)

const filledKeys = (place: unknown): ReadonlyArray<string> =>
  isObject(place) ? Object.keys(place).filter((key) => !isEmpty(place[key])) : []

/** Returns the raw keys of a product's prices and ids, and the paths that a dialect does not know. */
const productKeys = (product: unknown, { aliases, blocks, ids }: Dialect) => {
  const fields = isObject(product) ? product : {}
  const byFinish = fields["pricesByFinish"]
  const finishes = isObject(byFinish) ? Object.values(byFinish).flatMap(filledKeys) : []
  const prices = filledKeys(fields["prices"])
  const idKeys = filledKeys(fields["externalIds"])
  const unknownKeys = (place: string, keys: ReadonlyArray<string>, known: ReadonlyArray<string>) =>
    keys.filter((key) => !known.includes(key)).map((key) => `${place}.${key}`)
  return {
    hasPrices: finishes.length + prices.length > 0,
    hasIds: idKeys.length > 0,
    unknown: new Set([
      ...unknownKeys("prices", prices, Object.values(blocks)),
      ...unknownKeys("pricesByFinish.*", finishes, Object.values(blocks)),
      ...unknownKeys("externalIds", idKeys, [...Object.values(ids), ...Object.keys(aliases.products)])
    ])
  }
}

const maxNamed = 5

/** Judges a page of products as if it were the whole game, in its own dialect. */
export const examineWords = Effect.fnUntraced(function* (gameId: string, page: Page<OffsetPagination>) {
  const bounds = yield* Effect.orElseSucceed(boundsOf(gameId), () => defaultBounds)
  const previous = yield* publishedNight(gameId)
  const required = (yield* Marketplace).dialect
  const reading = readingWords(required)
  const fault = reading.fault(`The first page of products of ${gameId}`, detectDialect(page.data, required))
  const detected = fault === null ? reading.dialect() : null
  const dialect = detected ?? dialects.spec
  const keys = page.data.map((product) => productKeys(product, dialect))
  const counts = new Map<string, number>()
  for (const path of keys.flatMap(({ unknown }) => [...unknown])) counts.set(path, (counts.get(path) ?? 0) + 1)
  const { accepted, reasons } = yield* judgeSample(
    { kind: "products", ...page },
    { gameId, dialect, previous, bounds, slips }
  )
  const words: WordsOfPage = {
    gameId,
    dialect: detected?.name ?? null,
    products: page.data.length,
    withPrices: keys.filter(({ hasPrices }) => hasPrices).length,
    withIds: keys.filter(({ hasIds }) => hasIds).length,
    notUnderstood: keys.filter(({ unknown }) => unknown.size > 0).length,
    strangeKeys: [...counts].toSorted(([, a], [, b]) => b - a).map(([path]) => path),
    refused: accepted.refusals.length
  }
  if (fault === null) return judgePage(words, reasons, previous !== null)
  const { isOfFile, says, shown } = fault
  const next =
    shown === null || isOfFile
      ? `A night would hold the game. If it persists, ${dialectAdvice(isOfFile)}`
      : `With this setting, a night holds the game. To read it, ${requiredDialectAdvice(shown)}`
  return { verdict: "bad", says: `${says}. ${next}`, words } satisfies WordsFound
})

/** Returns the finding of a page in one dialect, by the rules that it breaks. */
const judgePage = (words: WordsOfPage, reasons: ReadonlyArray<Reason>, isPublished: boolean): WordsFound => {
  const { dialect, gameId, notUnderstood, products, refused, strangeKeys, withIds, withPrices } = words
  const counted = `of ${grouped(products)}, ${grouped(withPrices)} have prices and ${grouped(withIds)} have ids`
  const read =
    dialect === null
      ? `The products of ${gameId} match no dialect`
      : `The products of ${gameId} match dialect ${dialect}`
  const refusedText = refused === 0 ? "" : `; the contract refuses ${grouped(refused)} of them`
  const because = sayings(reasons).join("; ")
  if (reasons.some(({ rule }) => rule.onPage === "held")) {
    const advice = reasons.some(({ rule }) => rule.look === "unknown keys") ? ` ${unknownKeysAdvice(gameId)}` : ""
    const says = `${read}, but ${because}${refusedText}. A night stores the pages and holds the game.${advice}`
    return { verdict: "bad", says, words }
  }
  if (reasons.length > 0) {
    const says = `${read}, but of this page ${because}. A night holds the game if this is true of all pages`
    return { verdict: "doubt", says, words }
  }
  if (notUnderstood > 0) {
    const named = strangeKeys.slice(0, maxNamed).map((key) => shownText(key, 100))
    const more = strangeKeys.length > maxNamed ? ` and ${strangeKeys.length - maxNamed} more` : ""
    const finding = `${grouped(notUnderstood)} of ${grouped(products)} have prices or ids under keys that are in no dialect: ${named.join(", ")}${more}`
    // This share holds no night if the published one has it, too.
    const same = isPublished && notUnderstood / products > slips ? ", as the published one does" : ""
    const says = `${read}, but ${finding}${refusedText}. A night publishes the game without them${same}, and table drift lists them`
    return { verdict: "doubt", says, words }
  }
  const understood = dialect === null ? "" : ", all understood"
  return { verdict: "ok", says: `${read}: ${counted}${understood}${refusedText}`, words }
}

/** Returns a game's published night; null if there is none, or it is unreadable, which another finding reports. */
const publishedNight = Effect.fnUntraced(
  function* (gameId: string) {
    const home = yield* Home
    const snapshot = (yield* readCurrent).games[gameId]?.snapshot
    return snapshot === undefined ? null : yield* readSnapshot(home.snapshot(gameId, snapshot))
  },
  Effect.orElseSucceed(() => null)
)
