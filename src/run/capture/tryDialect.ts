import { Result, type SchemaAST } from "effect"
import { NotOurJson } from "../../client/OpenFault.ts"
import { readFeedFiles } from "../../client/feedFiles.ts"
import { parseBody } from "../../client/RawBody.ts"
import type { Capture, CapturePart } from "../../contract/Capture.ts"
import { type Dialect, dialects } from "../../contract/dialects.ts"
import { rewordFeeds } from "../../contract/reworded.ts"
import { isWordy, records } from "../../contract/records.ts"
import { readingWords } from "../../reading/readingWords.ts"
import { acceptPage } from "../../rows/acceptPage.ts"
import { recordRules } from "../../rows/recordRules.ts"
import { spokenWords } from "../../rows/spokenWords.ts"
import { missingPlaces } from "./proposeMoves.ts"
import { capturedPages, pageGiven, recordsOfPage } from "./capturedPages.ts"

/** What a dialect makes of a part of a capture. */
export interface TriedPart {
  readonly part: CapturePart
  readonly records: number
  readonly refused: number
  /** Keys that the contract does not know, with the records that have each. */
  readonly unknownKeys: ReadonlyArray<readonly [string, number]>
  /** What the contract has beside these keys, and no record has: they may be it. */
  readonly missing: ReadonlyArray<string>
  /** Why a night would stop here, or prices and ids be lost; empty: it would not. */
  readonly faults: ReadonlyArray<string>
}

/** Where prices and ids are: a key there that nobody knows holds a night. */
const ofPricesOrIds = /^(?:prices|pricesByFinish\.\*|externalIds)\./

const sizes = [
  ["products", "offset", 200],
  ["expansions", "offset", 200],
  ["changelog", "cursor", 100]
] as const

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(".")))

const missingBeside = (unknown: ReadonlyArray<string>, data: ReadonlyArray<unknown>, record: SchemaAST.AST) => {
  const parents = new Set(unknown.map(parentOf))
  const missing = unknown.length === 0 ? [] : missingPlaces(data, record)
  return missing.map(({ path }) => path.join(".")).filter((path) => parents.has(parentOf(path)))
}

/** What a night would make of what was captured, in the words of a dialect. */
export const tryDialect = (capture: Capture, dialect: Dialect): ReadonlyArray<TriedPart> => {
  const pages = capturedPages(capture).map((page): TriedPart => {
    const { kind, part, text } = page
    const read = recordsOfPage(page, dialect)
    if (Result.isFailure(read))
      return { part, records: 0, refused: 0, unknownKeys: [], missing: [], faults: [read.failure] }
    const data = read.success
    const spoken = isWordy(kind) ? readingWords(dialect).fault("it", spokenWords(data, dialect)) : null
    const told = { plain: Buffer.from(text), text, data }
    const { received, refusals, unknownKeys } = acceptPage(recordRules(dialect)[kind], null, told, () => {})
    const [first] = refusals
    const strange = [...unknownKeys.keys()].filter((path) => ofPricesOrIds.test(path))
    return {
      part,
      records: received,
      refused: refusals.length,
      unknownKeys: [...unknownKeys],
      missing: missingBeside([...unknownKeys.keys()], data, records(dialect)[kind].ast),
      faults: [
        ...(spoken === null ? [] : [spoken.says]),
        ...(first === undefined
          ? []
          : [
              `${refusals.length} of ${received} are refused, the first one for ${first.path || "all of it"}: ${first.reason}`
            ]),
        ...(strange.length === 0 ? [] : [`prices or ids under keys that nobody knows: ${strange.join(", ")}`])
      ]
    }
  })
  const sized = sizes.flatMap(([part, paging, usual]): ReadonlyArray<TriedPart> => {
    const given = pageGiven(capture, part)
    const asked = dialect.pages?.[paging] ?? usual
    if (given === null || asked <= given) return []
    return [
      {
        part,
        records: 0,
        refused: 0,
        unknownKeys: [],
        missing: [],
        faults: [`pages of ${asked} are refused; of ${given} they are given`]
      }
    ]
  })
  return [...pages, ...sized, ...triedFeeds(capture, dialect)]
}

const triedFeeds = ({ answers }: Capture, dialect: Dialect): ReadonlyArray<TriedPart> => {
  const feeds = answers.find(({ part, status }) => part === "feeds" && status === 200)
  const json = feeds === undefined ? undefined : Result.getOrUndefined(parseBody(feeds.body))
  if (json === undefined) return []
  const read = readFeedFiles(rewordFeeds(json, dialect))
  const what = Result.isFailure(read) && read.failure instanceof NotOurJson ? [read.failure.what] : []
  return [{ part: "feeds", records: 0, refused: 0, unknownKeys: [], missing: [], faults: what }]
}

/** How badly a dialect fits: what is refused, what is lost, then what is only noted. */
export const misfit = (parts: ReadonlyArray<TriedPart>): number =>
  parts.reduce((sum, { faults, refused, unknownKeys }) => sum + faults.length * 1000 + refused + unknownKeys.length, 0)

/** The known dialect that fits a capture best. */
export const closestDialect = (capture: Capture): keyof typeof dialects => {
  const names = Object.keys(dialects) as ReadonlyArray<keyof typeof dialects>
  const all = names.map((name) => ({ name, misfit: misfit(tryDialect(capture, dialects[name])) }))
  return all.reduce((best, one) => (one.misfit < best.misfit ? one : best)).name
}
