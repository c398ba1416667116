import type { PageKind } from "../contract/records.ts"
import type { AcceptedPage } from "../rows/acceptPage.ts"
import type { SpokenWords } from "../rows/spokenWords.ts"
import type { RawPage } from "./Extraction.ts"
import type { RawFiles } from "./RawFiles.ts"

/** What remains of a page in memory once it is stored. */
export interface StoredPage<P> {
  readonly raw: RawPage
  readonly refusals: ReadonlyArray<string>
  readonly unknownKeys: AcceptedPage["unknownKeys"]
  readonly ids: ReadonlyArray<unknown>
  readonly spoken: SpokenWords
  readonly pagination: P
  /** It was not opened: what it has besides its bytes is not known. */
  readonly isLeft: boolean
}

/** Unknown keys that a reading lists by name; all others count as one. */
const maxUnknownPaths = 10_000
const otherPaths = "*"

/** What a round has seen: its pages in their order, the keys that the contract does not know, and the refusals. */
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
  const note = (page: StoredPage<unknown>) => {
    pages.push(page.raw)
    return noteFaults(page)
  }
  return { pages, unknownKeys, note, noteFaults }
}

export type RoundNotes = ReturnType<typeof roundNotes>
