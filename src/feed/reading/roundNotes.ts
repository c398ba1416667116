import { Effect } from "effect"
import type { PageKind } from "../contract/records.ts"
import type { AcceptedPage } from "../rows/acceptPage.ts"
import { refusalLines } from "../rows/Refusal.ts"
import type { DetectedNames } from "../rows/detectDialect.ts"
import type { RawPage } from "./Extraction.ts"
import type { ParsedBody } from "./openWith.ts"
import type { RawFiles } from "./RawFiles.ts"

/** The part of a stored page that remains in memory. */
export interface StoredPage<P> {
  readonly raw: RawPage
  readonly refusals: ReadonlyArray<string>
  readonly unknownKeys: AcceptedPage["unknownKeys"]
  readonly ids: ReadonlyArray<unknown>
  readonly spoken: DetectedNames
  readonly pagination: P
  /** True if the page was not opened, so only its bytes are known. */
  readonly isLeft: boolean
}

/** Returns a stored page with its parsed figures. */
export const storedAs = <P>(raw: RawPage, { isLeft = false, pagination, parsed }: ParsedBody<P>): StoredPage<P> => {
  const { ids, refusals, spoken, unknownKeys } = parsed
  return { raw, refusals: refusalLines(raw.file, refusals), unknownKeys, ids, spoken, pagination, isLeft }
}

export const storeParsed = <P>(files: RawFiles, kind: PageKind, body: ParsedBody<P>, number: number) =>
  Effect.map(files.storePage(kind, number, body), (raw) => storedAs(raw, body))

/** The maximum number of unknown keys that a reading lists by name; all others count as one. */
const maxUnknownPaths = 10_000
const otherPaths = "*"

/** Collects the pages of a round in their order, the unknown keys and the refusals. */
export const roundNotes = (files: RawFiles) => {
  const pages: Array<RawPage> = []
  const unknownKeys = new Map<string, { kind: PageKind; path: string; records: number }>()

  const noteFaults = ({ raw, refusals, ...page }: Pick<StoredPage<unknown>, "raw" | "refusals" | "unknownKeys">) => {
    for (const [key, records] of page.unknownKeys) {
      const path = unknownKeys.size < maxUnknownPaths || unknownKeys.has(`${raw.kind} ${key}`) ? key : otherPaths
      const known = unknownKeys.get(`${raw.kind} ${path}`)
      if (known === undefined) unknownKeys.set(`${raw.kind} ${path}`, { kind: raw.kind, path, records })
      else known.records += records
    }
    return files.storeRefusals(refusals)
  }
  const note = (page: Pick<StoredPage<unknown>, "raw" | "refusals" | "unknownKeys">) => {
    pages.push(page.raw)
    return noteFaults(page)
  }
  return { pages, unknownKeys, note, noteFaults }
}
