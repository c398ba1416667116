import { Effect, Result, type SchemaAST } from "effect"
import { readFeedFiles } from "../../../feed/client/otherCalls.ts"
import { parseBody } from "../../../feed/client/RawBody.ts"
import type { Capture, CapturePart } from "../../../feed/contract/Capture.ts"
import type { Dialect } from "../../../feed/contract/dialect/dialects.ts"
import { rewordFeeds } from "../../../feed/contract/dialect/reworded.ts"
import { isWordy, records } from "../../../feed/contract/records.ts"
import { readingWords } from "../../../feed/reading/readingWords.ts"
import { acceptPage } from "../../../feed/rows/acceptPage.ts"
import { recordRules } from "../../../feed/rows/recordRules.ts"
import { detectDialect } from "../../../feed/rows/detectDialect.ts"
import { sayings } from "../../../store/diff/judge.ts"
import { judgeSample } from "../../../store/diff/judgeSample.ts"
import { refused } from "../../../store/diff/rules/refused.ts"
import { type CapturedPage, capturedPages, pageSizes, recordsOfPage, unreadParts, isSealed } from "./capturedPages.ts"
import { valuesAt, missingPlaces, possibleMoves, inAllBlocks, specPath } from "./proposeMoves.ts"
import type { DialectFile } from "../../../feed/contract/dialect/DialectFile.ts"
import { findList } from "../../../feed/contract/findList.ts"

/** Paths that nights never need, or not in every request. */
const notRequested = /^(?:availability|changes)\b/

/** Price figures, and objects that contain them. */
const ofPrices = /^prices.*\.(?:low|mid|high|marketValue|listingCount|availableQuantity|regions|byCondition)$/

const parentPath = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(".")))

/** Returns keys of the contract that no record has: in records, in prices, and beside unknown keys. */
export const missingIn = (
  data: ReadonlyArray<unknown>,
  record: SchemaAST.AST,
  unknown: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const parents = new Set(unknown.map(parentPath))
  return missingPlaces(data, record)
    .map(({ path }) => path.join("."))
    .filter(
      (path) =>
        !notRequested.test(path) && (parents.has(parentPath(path)) || ofPrices.test(path) || !path.includes("."))
    )
}

/** Longer lists of paths give no information. */
const maxPlaces = 3

/** Proposes meanings of unknown keys, one sentence each. */
export const pairDoubts = (
  part: CapturePart,
  data: ReadonlyArray<unknown>,
  of: { readonly record: SchemaAST.AST; readonly unknown: ReadonlyArray<string>; readonly dialect: Dialect }
): ReadonlyArray<string> => {
  const places = new Map<string, Array<string>>()
  for (const { from, to } of possibleMoves(data, of)) {
    const path = specPath(to, of.dialect).join(".")
    if (!notRequested.test(path)) places.set(from.join("."), [...(places.get(from.join(".")) ?? []), path])
  }
  const list = part === "sealed" ? "products" : part
  return [...places].flatMap(([from, to]) => {
    const [first = ""] = to
    if (to.length > maxPlaces) return []
    const [there, here] = inAllBlocks(first, from).find(([path]) => path.split(".")[0] === first.split(".")[0]) ?? [
      first,
      from
    ]
    const question = to.length === 1 ? "the same field?" : "one of them?"
    const are = to.length === 1 ? "is" : "are"
    return [
      `${to.join(", ")} ${are} in no record, ${from} is in no table: ${question} If so, add to moved, ${list}: ${JSON.stringify(there)}: ${JSON.stringify(here)}`
    ]
  })
}

const findCurrencies = (data: ReadonlyArray<unknown>, word: string): ReadonlySet<unknown> =>
  new Set(
    [
      ["prices", word, "currency"],
      ["pricesByFinish", "*", word, "currency"]
    ].flatMap((path) => valuesAt(data, path))
  )

/** Finds sources without any price in their currency: two sources may be swapped. */
export const currencyDoubts = (data: ReadonlyArray<unknown>, { blocks, sources }: Dialect): ReadonlyArray<string> =>
  (["sourceEur", "sourceUsd"] as const).flatMap((name) => {
    const currency = sources[name].currency
    const found = findCurrencies(data, blocks[name])
    return found.size === 0 || currency === null || found.has(currency)
      ? []
      : [`the prices of ${name} (${blocks[name]}) are in ${[...found].map(String).join(", ")}, none in ${currency}`]
  })

/** The lists whose records share moved keys with a list. */
const alsoIn: { readonly [part in CapturePart]?: ReadonlyArray<CapturePart> } = {
  products: ["products", "sealed", "catalog lines", "prices lines"],
  expansions: ["expansions", "expansions lines"]
}

const twin = (path: string): string =>
  path.startsWith("prices.")
    ? path.replace(/^prices\./, "pricesByFinish.*.")
    : path.replace(/^pricesByFinish\.\*\./, "prices.")

/** Returns paths of a dialect file that no record has; for prices, neither cards nor sealed products. */
export const unmatchedMoves = (
  capture: Capture,
  dialect: Dialect
): ReadonlyArray<{ readonly part: CapturePart; readonly says: string }> => {
  const moved = (dialect.file?.content as DialectFile | undefined)?.moved ?? {}
  const around: Dialect = { ...dialect, moves: { page: dialect.moves?.["page"] } }
  const pages = capturedPages(capture)
  return Object.entries(moved).flatMap(([list, paths]) => {
    const part = list as CapturePart
    const parts = alsoIn[part] ?? [part]
    const records = pages
      .filter((page) => parts.includes(page.part))
      .flatMap((page) => Result.getOrElse(recordsOfPage(page, around), () => []))
    // Envelopes and feed descriptions are not lists of records.
    if (list === "page" || list === "feeds" || records.length === 0) return []
    const isThere = (path: string) => valuesAt(records, path.split(".")).length > 0
    // Paths without captured data are not judged.
    const isCaptured = (path: string) => !path.includes(".") || [path, twin(path)].map(parentPath).some(isThere)
    return Object.entries(paths ?? {})
      .filter(([to, from]) => !isThere(from) && !isThere(twin(from)) && isCaptured(to))
      .map(([to, from]) => ({ part, says: `moved: ${to}: ${from} is in no record` }))
  })
}

/** Reports that the prices of sealed products were not tried, if that is so. */
export const sealedDoubts = (capture: Capture): ReadonlyArray<string> => {
  const pages = capturedPages(capture)
  const read = ({ part }: { readonly part: CapturePart }) =>
    part === "products" || part === "sealed" || part === "catalog lines"
  const recordsIn = ({ text }: { readonly text: string }) =>
    findList(Result.getOrUndefined(parseBody(text)))?.records ?? []
  const all = pages.filter(read).flatMap(recordsIn)
  const sealedPage = pages.find(({ part }) => part === "sealed")
  const isNone = sealedPage !== undefined && recordsIn(sealedPage).length === 0
  return all.length === 0 || all.some(isSealed) || isNone
    ? []
    : ["the capture has no sealed product, so sealed prices (field prices; cards have pricesByFinish) were not tested"]
}

export interface TriedPart {
  readonly part: CapturePart
  readonly records: number
  readonly refused: number
  /** Unknown keys, with the number of records that have each. */
  readonly unknownKeys: ReadonlyArray<readonly [string, number]>
  /** Keys of the contract that no record has. Any unknown key may be one of them. */
  readonly missing: ReadonlyArray<string>
  /** Reasons why a night would stop or lose prices or ids; empty if there are none. */
  readonly faults: ReadonlyArray<string>
  /** Points for a person to check, because a night would not notice them. */
  readonly doubts: ReadonlyArray<string>
}

/** Paths of prices and ids, where an unknown key holds a night. */
const ofPricesOrIds = /^(?:prices|pricesByFinish\.\*|externalIds)\.[^.]+$/

const sizes = [
  ["products", "offset", 200],
  ["expansions", "offset", 200],
  ["changelog", "cursor", 100]
] as const

const untriedPart = (
  part: CapturePart,
  faults: ReadonlyArray<string>,
  doubts: ReadonlyArray<string> = []
): TriedPart => ({ part, records: 0, refused: 0, unknownKeys: [], missing: [], faults, doubts })

/** Returns words of the dialect that no record has, if there are unknown keys they may stand for. */
const findUnusedWords = (unknownPaths: ReadonlyArray<string>, data: ReadonlyArray<unknown>, dialect: Dialect) =>
  [
    { list: "blocks", words: dialect.blocks, places: [["prices"], ["pricesByFinish", "*"]] },
    { list: "ids", words: dialect.ids, places: [["externalIds"]] }
  ].flatMap(({ list, places, words }) => {
    if (!places.some((place) => unknownPaths.some((path) => path.startsWith(`${place.join(".")}.`)))) return []
    const isUnused = (word: string) => places.every((place) => valuesAt(data, [...place, word]).length === 0)
    const names = Object.entries(words).flatMap(([name, word]) => (isUnused(word) ? [name] : []))
    return names.length === 0 ? [] : [`in ${list}, no record has ${names.join(", ")}: name their keys`]
  })

const findUnknown = ({ unknownKeys }: Pick<TriedPart, "unknownKeys">): ReadonlyArray<string> =>
  unknownKeys.map(([path]) => path).filter((path) => ofPricesOrIds.test(path))

const openPage = (page: CapturedPage, dialect: Dialect) =>
  Result.map(recordsOfPage(page, dialect), (data) => ({ plain: Buffer.from(page.text), text: page.text, data }))

const readPage = (page: CapturedPage, dialect: Dialect, held: ReadonlyArray<string>): TriedPart => {
  const { kind, part } = page
  const read = openPage(page, dialect)
  if (Result.isFailure(read)) return untriedPart(part, [read.failure])
  const isOfProducts = isWordy(kind)
  const dialectFault = isOfProducts
    ? readingWords(dialect).fault("it", detectDialect(read.success.data, dialect))
    : null
  const record = records(dialect)[kind].ast
  const { received, refusals, unknownKeys } = acceptPage(recordRules(dialect)[kind], null, read.success, () => {})
  const [first] = refusals
  const unknown = [...unknownKeys.keys()]
  // Accepting a page removes unknown keys from its records.
  const whole = Result.getOrElse(recordsOfPage(page, dialect), () => [])
  return {
    part,
    records: received,
    refused: refusals.length,
    unknownKeys: [...unknownKeys],
    missing: missingIn(whole, record, unknown),
    faults: [
      ...(dialectFault === null ? [] : [dialectFault.says]),
      ...(first === undefined
        ? []
        : [
            `${refusals.length} of ${received} are refused, the first one for ${first.path || "all of it"}: ${first.reason}`
          ]),
      ...(part === "products" && received === 0 ? ["it has no product, so none was tested"] : []),
      ...held
    ],
    doubts: [
      ...findUnusedWords(findUnknown({ unknownKeys: [...unknownKeys] }), whole, dialect),
      ...pairDoubts(part, whole, { record, unknown, dialect }),
      ...(isOfProducts ? currencyDoubts(whole, dialect) : [])
    ]
  }
}

/** Returns why a night would be held for a page's records: all rules are checked, and a single record counts. */
const heldFor = Effect.fnUntraced(function* (page: CapturedPage, dialect: Dialect) {
  const { kind } = page
  const read = openPage(page, dialect)
  if (!isWordy(kind) || Result.isFailure(read)) return []
  const strict = { gameId: null, dialect, previous: null, bounds: {}, slips: 0 }
  const { reasons } = yield* judgeSample({ kind, ...read.success }, strict)
  // Rejections are already listed with their first cause.
  return sayings(reasons.filter(({ rule }) => rule !== refused))
})

const triedSizes = (capture: Capture, dialect: Dialect): ReadonlyArray<TriedPart> =>
  sizes.flatMap(([part, paging, usual]): ReadonlyArray<TriedPart> => {
    const known = pageSizes(capture, part)
    const size = dialect.pages?.[paging] ?? usual
    if (known === null || size <= known.given) return []
    const { given, refused } = known
    return size < refused
      ? [untriedPart(part, [], [`page size ${size} was not tested: ${refused} is refused, ${given} works`])]
      : [untriedPart(part, [`page size ${size} is refused; ${given} works`])]
  })

/** Reads the parts of a capture in a dialect, with the reasons for a hold. Unreadable parts are not tried. */
export const readParts = (
  capture: Capture,
  dialect: Dialect,
  held: ReadonlyMap<CapturePart, ReadonlyArray<string>> = new Map()
): ReadonlyArray<TriedPart> => [
  ...unreadParts(capture).map(({ part, says }) => untriedPart(part, [says])),
  ...capturedPages(capture).map((page) => readPage(page, dialect, held.get(page.part) ?? [])),
  ...triedSizes(capture, dialect),
  ...triedFeeds(capture, dialect),
  ...unmatchedMoves(capture, dialect).map(({ part, says }) => untriedPart(part, [], [says])),
  ...sealedDoubts(capture).map((says) => untriedPart("sealed", [], [says]))
]

/** Reads a capture in a dialect, as a night would. */
export const tryDialect = Effect.fn("tryDialect")(function* (capture: Capture, dialect: Dialect) {
  const held = new Map<CapturePart, ReadonlyArray<string>>()
  for (const page of capturedPages(capture)) held.set(page.part, yield* heldFor(page, dialect))
  return readParts(capture, dialect, held)
})

const triedFeeds = ({ answers }: Capture, dialect: Dialect): ReadonlyArray<TriedPart> => {
  const unfetched = answers.flatMap(({ fault, part }): ReadonlyArray<TriedPart> =>
    part.endsWith(" lines") && fault !== null
      ? [untriedPart(part, [], [`they could not be fetched (${fault}), and were not tested`])]
      : []
  )
  const feeds = answers.find(({ part, status }) => part === "feeds" && status === 200)
  const json = feeds === undefined ? undefined : Result.getOrUndefined(parseBody(feeds.body))
  if (json === undefined) return unfetched
  const read = readFeedFiles(rewordFeeds(json, dialect))
  const what = Result.isFailure(read) ? [read.failure.what] : []
  return [...unfetched, untriedPart("feeds", what)]
}

/** Scores how badly a dialect fits: lost prices and ids first, then rejections, then notes. */
export const misfit = (parts: ReadonlyArray<TriedPart>): number =>
  parts.reduce((sum, one) => {
    const losses = one.faults.length + (findUnknown(one).length > 0 ? 1 : 0)
    return sum + losses * 1000 + one.refused + one.unknownKeys.length
  }, 0)
