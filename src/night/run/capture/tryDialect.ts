import { Result } from "effect"
import { NotOurJson } from "../../../feed/client/OpenFault.ts"
import { readFeedFiles } from "../../../feed/client/feedFiles.ts"
import { parseBody } from "../../../feed/client/RawBody.ts"
import type { Capture, CapturePart } from "../../../feed/contract/Capture.ts"
import type { Dialect } from "../../../feed/contract/dialect/dialects.ts"
import { rewordFeeds } from "../../../feed/contract/dialect/reworded.ts"
import { isWordy, records } from "../../../feed/contract/records.ts"
import { readingWords } from "../../../feed/reading/readingWords.ts"
import { acceptPage } from "../../../feed/rows/acceptPage.ts"
import { recordRules } from "../../../feed/rows/recordRules.ts"
import { spokenWords } from "../../../feed/rows/spokenWords.ts"
import { figuresText, strangeFigures } from "../../../feed/rows/strangeFigures.ts"
import { type CapturedPage, capturedPages, pageSizes, recordsOfPage, unreadParts } from "./capturedPages.ts"
import { currencyDoubts, missingIn, pairDoubts, sealedDoubts, unmatchedMoves } from "./doubts.ts"
import { valuesAt } from "./wirePaths.ts"

/** What a dialect makes of a part of a capture. */
export interface TriedPart {
  readonly part: CapturePart
  readonly records: number
  readonly refused: number
  /** Keys that the contract does not know, with the records that have each. */
  readonly unknownKeys: ReadonlyArray<readonly [string, number]>
  /** What the contract has, and no record has: any of these keys may be it. */
  readonly missing: ReadonlyArray<string>
  /** Why a night would stop here, or prices and ids be lost; empty: it would not. */
  readonly faults: ReadonlyArray<string>
  /** What a person should look at, because a night would not notice it. */
  readonly doubts: ReadonlyArray<string>
}

/** Where prices and ids are: a key there that nobody knows holds a night. */
const ofPricesOrIds = /^(?:prices|pricesByFinish\.\*|externalIds)\.[^.]+$/

const sizes = [
  ["products", "offset", 200],
  ["expansions", "offset", 200],
  ["changelog", "cursor", 100]
] as const

/** A part of which no records were tried. */
const partOf = (part: CapturePart, faults: ReadonlyArray<string>, doubts: ReadonlyArray<string> = []): TriedPart => ({
  part,
  records: 0,
  refused: 0,
  unknownKeys: [],
  missing: [],
  faults,
  doubts
})

const figures = ["low", "mid", "high", "marketValue"]

/** Price blocks without a single price above 0 hold a night. */
const unpriced = (data: ReadonlyArray<unknown>, { blocks }: Dialect): ReadonlyArray<string> => {
  const around = [["prices"], ["pricesByFinish", "*"]].flatMap((path) => valuesAt(data, path))
  const words = Object.values(blocks).filter((word) => valuesAt(around, [word]).length > 0)
  const paths = words.flatMap((word) => [[word, "low", "amount"], ...figures.map((figure) => [word, figure])])
  const isPriced = paths.some((path) => valuesAt(around, path).some((price) => typeof price === "number" && price > 0))
  return words.length === 0 || isPriced
    ? []
    : [`there are price blocks (${words.join(", ")}) but no price above 0 in any`]
}

/** Keys of whole blocks and ids, with the words that they may be for. */
const strangeText = (
  strange: ReadonlyArray<string>,
  data: ReadonlyArray<unknown>,
  { blocks, ids }: Dialect
): string => {
  const unheard = (words: Readonly<Record<string, string>>, places: ReadonlyArray<ReadonlyArray<string>>) =>
    Object.entries(words).flatMap(([name, word]) =>
      places.some((place) => valuesAt(data, [...place, word]).length > 0) ? [] : [name]
    )
  const isOfIds = (path: string) => path.startsWith("externalIds.")
  const free = [
    ...(strange.every(isOfIds) ? [] : [["blocks", unheard(blocks, [["prices"], ["pricesByFinish", "*"]])] as const]),
    ...(strange.some(isOfIds) ? [["ids", unheard(ids, [["externalIds"]])] as const] : [])
  ]
  const hint = free.flatMap(([key, names]) =>
    names.length === 0 ? [] : [`in ${key}, no record has ${names.join(", ")}`]
  )
  const said = `prices or ids under keys that nobody knows: ${strange.join(", ")}`
  return hint.length === 0 ? said : `${said}. Say which they are: ${hint.join("; ")}`
}

const triedPage = (page: CapturedPage, dialect: Dialect): TriedPart => {
  const { kind, part, text } = page
  const read = recordsOfPage(page, dialect)
  if (Result.isFailure(read)) return partOf(part, [read.failure])
  const data = read.success
  const isOfProducts = isWordy(kind)
  const spoken = isOfProducts ? readingWords(dialect).fault("it", spokenWords(data, dialect)) : null
  const lost = isOfProducts ? strangeFigures(data, dialect) : []
  const record = records(dialect)[kind].ast
  const told = { plain: Buffer.from(text), text, data }
  const { received, refusals, unknownKeys } = acceptPage(recordRules(dialect)[kind], null, told, () => {})
  const [first] = refusals
  const unknown = [...unknownKeys.keys()]
  const strange = unknown.filter((path) => ofPricesOrIds.test(path))
  // Accepting a page takes unknown keys out of its records.
  const whole = Result.getOrElse(recordsOfPage(page, dialect), () => [])
  return {
    part,
    records: received,
    refused: refusals.length,
    unknownKeys: [...unknownKeys],
    missing: missingIn(whole, record, unknown),
    faults: [
      ...(spoken === null ? [] : [spoken.says]),
      ...(first === undefined
        ? []
        : [
            `${refusals.length} of ${received} are refused, the first one for ${first.path || "all of it"}: ${first.reason}`
          ]),
      ...(strange.length === 0 ? [] : [strangeText(strange, whole, dialect)]),
      ...(lost.length === 0 ? [] : [`price figures under keys that nobody knows: ${figuresText(lost)}`]),
      ...(part === "products" && received === 0 ? ["it has no product, so none was tried"] : []),
      ...(isOfProducts ? unpriced(whole, dialect) : [])
    ],
    doubts: [
      ...pairDoubts(part, whole, { record, unknown, dialect }),
      ...(isOfProducts ? currencyDoubts(whole, dialect) : [])
    ]
  }
}

const triedSizes = (capture: Capture, dialect: Dialect): ReadonlyArray<TriedPart> =>
  sizes.flatMap(([part, paging, usual]): ReadonlyArray<TriedPart> => {
    const known = pageSizes(capture, part)
    const asked = dialect.pages?.[paging] ?? usual
    if (known === null || asked <= known.given) return []
    const { given, refused } = known
    return asked < refused
      ? [
          partOf(
            part,
            [],
            [`pages of ${asked} were not asked for: of ${refused} they are refused, of ${given} they are given`]
          )
        ]
      : [partOf(part, [`pages of ${asked} are refused; of ${given} they are given`])]
  })

/** What a night would make of what was captured, in the words of a dialect. What could not be read, was not tried. */
export const tryDialect = (capture: Capture, dialect: Dialect): ReadonlyArray<TriedPart> => [
  ...unreadParts(capture).map(({ part, says }) => partOf(part, [says])),
  ...capturedPages(capture).map((page) => triedPage(page, dialect)),
  ...triedSizes(capture, dialect),
  ...triedFeeds(capture, dialect),
  ...unmatchedMoves(capture, dialect).map(({ part, says }) => partOf(part, [], [says])),
  ...sealedDoubts(capture).map((says) => partOf("sealed", [], [says]))
]

const triedFeeds = ({ answers }: Capture, dialect: Dialect): ReadonlyArray<TriedPart> => {
  const unfetched = answers.flatMap(({ fault, part }): ReadonlyArray<TriedPart> =>
    part.endsWith(" lines") && fault !== null
      ? [partOf(part, [], [`they could not be fetched (${fault}), and were not tried`])]
      : []
  )
  const feeds = answers.find(({ part, status }) => part === "feeds" && status === 200)
  const json = feeds === undefined ? undefined : Result.getOrUndefined(parseBody(feeds.body))
  if (json === undefined) return unfetched
  const read = readFeedFiles(rewordFeeds(json, dialect))
  const what = Result.isFailure(read) && read.failure instanceof NotOurJson ? [read.failure.what] : []
  return [...unfetched, partOf("feeds", what)]
}

/** How badly a dialect fits: what is refused, what is lost, then what is only noted. */
export const misfit = (parts: ReadonlyArray<TriedPart>): number =>
  parts.reduce((sum, { faults, refused, unknownKeys }) => sum + faults.length * 1000 + refused + unknownKeys.length, 0)
