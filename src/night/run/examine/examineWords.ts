import { Effect } from "effect"
import type { OffsetPagination } from "../../../feed/client/pageCalls.ts"
import type { Page } from "../../../feed/client/RawBody.ts"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { type DialectName, dialects, type Dialect } from "../../../feed/contract/dialect/dialects.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { grouped } from "../../../store/diff/amountOf.ts"
import { slips } from "../../../store/diff/rules/HoldRule.ts"
import { unknownWordsAdvice } from "../../../store/lake/snapshot/heldAdvice.ts"
import { askedMend, readingWords, wordsMend } from "../../../feed/reading/readingWords.ts"
import { acceptPage } from "../../../feed/rows/acceptPage.ts"
import { recordRules } from "../../../feed/rows/recordRules.ts"
import { spokenWords } from "../../../feed/rows/spokenWords.ts"
import { figuresText, strangeFigures, type StrangeFigures } from "../../../feed/rows/strangeFigures.ts"
import { isObject } from "../../../feed/rows/isObject.ts"
import { readCurrent, Home } from "../../../store/home/Home.ts"
import { readSnapshot } from "../../../store/home/Manifest.ts"
import { readExtraction } from "../../../feed/reading/readExtraction.ts"

/** What a product's prices and ids are filed under. */
interface ProductKeys {
  readonly hasPrices: boolean
  readonly hasIds: boolean
  /** Paths of those that a dialect does not have, such as `pricesByFinish.*.harbour`. */
  readonly strange: ReadonlyArray<string>
  /** Those of prices if no other prices are there, and those of ids if no other ids are. */
  readonly alone: ReadonlyArray<string>
}

/** Null, `{}` and the like say nothing. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (isObject(value) && Object.keys(value).length === 0)

/** The prices and ids of a product as it came, in the words of a dialect. */
const productKeys = (product: unknown, { aliases, blocks, ids }: Dialect): ProductKeys => {
  const fields = isObject(product) ? product : {}
  const filled = (place: unknown) => (isObject(place) ? Object.keys(place).filter((key) => !isEmpty(place[key])) : [])
  const byFinish = fields["pricesByFinish"]
  const finishes = isObject(byFinish) ? Object.values(byFinish).flatMap(filled) : []
  const sealed = filled(fields["prices"])
  const idKeys = filled(fields["externalIds"])
  const knownBlocks = new Set(Object.values(blocks))
  const knownIds = new Set([...Object.values(ids), ...Object.keys(aliases.products)])
  const strange = (keys: ReadonlyArray<string>, known: ReadonlySet<string>, place: string) =>
    keys.filter((key) => !known.has(key)).map((key) => `${place}.${key}`)
  const prices = [...strange(sealed, knownBlocks, "prices"), ...strange(finishes, knownBlocks, "pricesByFinish.*")]
  const otherIds = strange(idKeys, knownIds, "externalIds")
  return {
    hasPrices: finishes.length + sealed.length > 0,
    hasIds: idKeys.length > 0,
    strange: [...new Set([...prices, ...otherIds])],
    alone: [
      ...(prices.length === finishes.length + sealed.length ? prices : []),
      ...(otherIds.length === idKeys.length ? otherIds : [])
    ]
  }
}

/** How much of a page of products a night would understand. */
export interface WordsOfPage {
  readonly gameId: string
  /** Null: the page has no word of any, or words of several. */
  readonly dialect: DialectName | null
  readonly products: number
  readonly withPrices: number
  readonly withIds: number
  /** Products with prices or ids under keys that the dialect does not have, and these keys, the most frequent first. */
  readonly notUnderstood: number
  readonly strangeKeys: ReadonlyArray<string>
  /** Products that the contract refuses. */
  readonly refused: number
}

/** What was found; `says` ends with the next step unless all is well. */
export interface WordsFound {
  readonly verdict: "ok" | "doubt" | "bad"
  readonly says: string
  readonly words: WordsOfPage
}

const maxNamed = 5

/**
 * A page of a game's products in the words that it has. `released`: the strange keys that the published night has, which
 * hold no other night for them; null: no night of the game is published.
 */
export const examineWords = Effect.fnUntraced(function* (
  gameId: string,
  page: Page<OffsetPagination>,
  released: ReadonlySet<string> | null
) {
  const asked = (yield* Marketplace).dialect
  const reading = readingWords(asked)
  const fault = reading.fault(`The first page of products of ${gameId}`, spokenWords(page.data, asked))
  const spoken = fault === null ? reading.dialect() : null
  const dialect = spoken ?? dialects.spec
  const keys = page.data.map((product) => productKeys(product, dialect))
  const counts = new Map<string, number>()
  for (const path of keys.flatMap(({ strange }) => strange)) counts.set(path, (counts.get(path) ?? 0) + 1)
  // It changes the records that it is given.
  const figures = strangeFigures(page.data, dialect)
  const { refusals } = acceptPage(recordRules(dialect).products, gameId, page, () => {})
  const words: WordsOfPage = {
    gameId,
    dialect: spoken?.name ?? null,
    products: page.data.length,
    withPrices: keys.filter(({ hasPrices }) => hasPrices).length,
    withIds: keys.filter(({ hasIds }) => hasIds).length,
    notUnderstood: keys.filter(({ strange }) => strange.length > 0).length,
    strangeKeys: [...counts].toSorted(([, a], [, b]) => b - a).map(([path]) => path),
    refused: refusals.length
  }
  if (fault !== null) {
    const { isOfFile, says, shown } = fault
    const next =
      shown === null || isOfFile
        ? `A night that finds it so holds the game. If it stays so, ${wordsMend(isOfFile)}`
        : `As it is set, a night holds the game. To read it, ${askedMend(shown)}`
    return found("bad", `${says}. ${next}`, words)
  }
  const isNew = (key: string) => released?.has(key) !== true
  return judged(words, {
    fresh: keys.filter(({ strange }) => strange.some(isNew)).length,
    holding: keys.filter(({ alone, strange }) => (released === null ? strange : alone).some(isNew)).length,
    isFirst: released === null,
    figures: figures.filter(({ path }) => isNew(path))
  })
})

const found = (verdict: WordsFound["verdict"], says: string, words: WordsOfPage): WordsFound => ({
  verdict,
  says,
  words
})

/** Products with strange keys that the published night did not have, and those for which the next one is held. */
interface Night {
  readonly fresh: number
  readonly holding: number
  readonly isFirst: boolean
  /** Price figures under keys that it did not have. */
  readonly figures: ReadonlyArray<StrangeFigures>
}

const judged = (words: WordsOfPage, night: Night): WordsFound => {
  const { dialect, gameId, notUnderstood, products, refused, strangeKeys, withIds, withPrices } = words
  const counted = `of ${grouped(products)}, ${grouped(withPrices)} have prices and ${grouped(withIds)} have ids`
  const known = dialect === null ? "" : `The products of ${gameId} are in the words of ${dialect}, but `
  const says = (what: string) => (known === "" ? `Of the products of ${gameId}, ${what}` : known + what)
  const refusedText = refused === 0 ? "" : `; the contract refuses ${grouped(refused)} of them`
  const withFigures = new Set(night.figures.flatMap((one) => [...one.products])).size
  const isHolding = night.holding / products > slips
  const isLosing = night.isFirst && withFigures / products > slips
  if (!isHolding && withFigures > 0 && (isLosing || notUnderstood === 0)) {
    const lost = `${grouped(withFigures)} of ${grouped(products)} have price figures under keys that no dialect of Cardlake has: ${figuresText(night.figures)}${refusedText}`
    return isLosing
      ? found("bad", `${says(lost)}. A night stores the pages and holds the game. ${unknownWordsAdvice(gameId)}`, words)
      : found("doubt", `${says(lost)}. A night holds the game if more than 1 % lost such figures`, words)
  }
  if (notUnderstood === 0) {
    const said =
      dialect === null
        ? `The products of ${gameId} have no word of any dialect: ${counted}`
        : `The products of ${gameId} are in the words of ${dialect}: ${counted}, all understood`
    if (refused / products <= slips) return found("ok", said + refusedText, words)
    return found(
      "doubt",
      `${said}${refusedText}. A night holds the game if it refuses more than 1 % of its records`,
      words
    )
  }
  const named = strangeKeys.slice(0, maxNamed).map((key) => shownText(key, 100))
  const more = strangeKeys.length > maxNamed ? ` and ${strangeKeys.length - maxNamed} more` : ""
  const strange = `${grouped(notUnderstood)} of ${grouped(products)} have prices or ids under keys that no dialect of Cardlake has: ${named.join(", ")}${more}${refusedText}`
  if (isHolding) {
    const lake = night.isFirst ? "as no table would have these" : "and the lake keeps what it has"
    const does = `A night stores the pages and holds the game, ${lake}`
    return found("bad", `${says(strange)}. ${does}. ${unknownWordsAdvice(gameId)}`, words)
  }
  const same = night.fresh === 0 && !night.isFirst ? ", as the published one does" : ""
  return found(
    "doubt",
    `${says(strange)}. A night publishes the game without them${same}, and the table drift names them`,
    words
  )
}

/**
 * Keys of products beyond the contract that more than a few products of a game's published night have: its next night is
 * not held for them. Null if no night of it is published.
 */
export const releasedKeys = Effect.fnUntraced(
  function* (gameId: string) {
    const home = yield* Home
    const snapshot = (yield* readCurrent).games[gameId]?.snapshot
    if (snapshot === undefined) return null
    const { manifest } = yield* readSnapshot(home.snapshot(gameId, snapshot))
    const { unknownKeys } = yield* readExtraction(home.raw(gameId, manifest.runId))
    const bound = slips * (manifest.tables["products"]?.rows ?? 0)
    const seen = unknownKeys.filter(({ kind, records }) => kind === "products" && records > bound)
    return new Set(seen.map(({ path }) => path))
  },
  // What cannot be read is another finding's.
  Effect.orElseSucceed(() => new Set<string>())
)
