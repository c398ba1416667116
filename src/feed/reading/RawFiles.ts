import { hash } from "node:crypto"
import { gzip } from "node:zlib"
import { DateTime, Effect, Schema } from "effect"
import { type Disk, onDisk, type OpenFile } from "../disk/Disk.ts"
import { makeFolders } from "../disk/makeFolders.ts"
import { Extraction, type RawPage } from "./Extraction.ts"
import type { PageKind } from "../contract/records.ts"
import { rawFilesFailed } from "./ExtractionError.ts"
import type { ParsedBody } from "./openWith.ts"
import type { Fault } from "../contract/Fault.ts"
import { type AcceptedPage, refusalLines } from "../rows/acceptPage.ts"
import type { DetectedNames } from "../rows/detectDialect.ts"

/** Names inside an extraction's folder. */
export const rawNames = {
  extraction: "extraction.json",
  refusals: "refusals.ndjson",
  ledger: "ledger.ndjson",
  pages: "pages"
} as const

export const pageFile = (kind: PageKind, number: number): string =>
  `${rawNames.pages}/${kind}-${String(number).padStart(6, "0")}.json.gz`

/** The maximum number of refused records that a reading lists. All are counted, and the raw pages have them. */
export const maxRefusals = 25_000

export const gzipped = (bytes: Uint8Array) =>
  Effect.callback<Uint8Array>((resume) => {
    // Level 1 is three times faster than the default, for a tenth more bytes.
    gzip(bytes, { level: 1 }, (cause, zipped) => resume(cause === null ? Effect.succeed(zipped) : Effect.die(cause)))
  })

const failedIn = (folder: string) => (cause: unknown) =>
  rawFilesFailed(folder, cause instanceof Error ? cause.message : String(cause))

const attempt = <A>(folder: string, run: (disk: Disk) => Promise<A>) => onDisk(run, failedIn(folder))

/**
 * Writes a page without rename or sync. A half-written page is ignored later: the ledger lacks it or has another
 * sha256. Another thread writes, because a write may wait for memory or the disk.
 */
const writePage = (folder: string, name: string, bytes: Uint8Array) =>
  attempt(folder, (disk) => disk.write(`${folder}/${name}`, bytes))

const pickFigures = ({ accepted, drifted, received, sizeBytes }: ParsedBody<unknown>["parsed"]) => ({
  records: received,
  refused: received - accepted,
  ...(drifted > 0 ? { drifted } : {}),
  sizeBytes
})

const encode = Schema.encodeEffect(Schema.fromJsonString(Extraction))

/** The open files of an extraction's folder while it is written. */
interface OpenFolder {
  readonly folder: string
  readonly ledger: OpenFile
  readonly refused: OpenFile
}

const openFolder = Effect.fnUntraced(function* (folder: string) {
  const openLog = (name: string) =>
    Effect.acquireRelease(
      attempt(folder, (disk) => disk.open(`${folder}/${name}`, "a")),
      (file) => Effect.promise(() => file.close())
    )
  yield* attempt(folder, (disk) => makeFolders(disk, folder))
  return { folder, ledger: yield* openLog(rawNames.ledger), refused: yield* openLog(rawNames.refusals) }
})

const append = ({ folder }: OpenFolder, file: OpenFile, text: string) =>
  Effect.try({ try: () => file.appendNow(text), catch: failedIn(folder) })

const noteIn = (open: OpenFolder, line: unknown) => append(open, open.ledger, `${JSON.stringify(line)}\n`)

/** Empties the folder for a new round or the rest of a continued one. The ledger remains. */
const emptyFolder = ({ folder, ledger, refused }: OpenFolder, continued: boolean) =>
  attempt(folder, async (disk) => {
    await disk.removeFile(`${folder}/${rawNames.extraction}`)
    const pages = `${folder}/${rawNames.pages}`
    if (!continued) await disk.remove(pages)
    await makeFolders(disk, pages)
    refused.truncateNow()
    // The entry begins on a new line, even after a half-written one.
    ledger.appendNow("\n")
  })

type StoredBody = Omit<ParsedBody<unknown>, "pagination" | "received" | "sentBytes">

/** Stores a page unchanged, and records it in the ledger. */
const storePageIn = Effect.fnUntraced(function* (
  open: OpenFolder,
  kind: PageKind,
  number: number,
  { bytes: sent, parsed, ...body }: StoredBody
): Effect.fn.Return<RawPage, Fault<"RawFilesFailed">> {
  const file = pageFile(kind, number)
  const bytes = parsed.gzip ? sent : yield* gzipped(sent)
  if (body.file !== file) yield* writePage(open.folder, file, bytes)
  const { request, requestId } = body
  const page: RawPage = { kind, request, requestId, file, ...pickFigures(parsed), sha256: hash("sha256", bytes, "hex") }
  yield* noteIn(open, page)
  return page
})

/**
 * Writes the files of one extraction in `<home>/raw/<game>/<run>`. Its ledger has a line for the start of a round, for
 * each stored page, and for a rejected round, which no later run continues. Design: decision 3.
 */
export const makeRawFiles = Effect.fnUntraced(function* (folder: string) {
  const open = yield* openFolder(folder)
  let refusals = 0
  return {
    folder,
    /** Opens the folder for a round: continues the one of `startedAt`, else removes an abandoned one's files. */
    startRound: Effect.fnUntraced(function* (round: number, head: string | null, startedAt: string | null = null) {
      const continued = startedAt !== null
      yield* emptyFolder(open, continued)
      refusals = 0
      const start = startedAt ?? DateTime.formatIso(yield* DateTime.now)
      yield* noteIn(open, { round, head, startedAt: start, continued })
    }),
    /** Rejects an unusable round, so that no later reading reuses its pages. */
    rejectRound: (reasons: ReadonlyArray<string>) => noteIn(open, { rejected: reasons }),
    /** Records that the round reads feed files, so another round by feed files may continue it. */
    noteFeeds: noteIn(open, { via: "feeds" }),
    /** Records a feed file that is stored unchanged. */
    noteFeed: (page: RawPage) => noteIn(open, page),
    storePage: (kind: PageKind, number: number, body: StoredBody) => storePageIn(open, kind, number, body),
    /** Stores the refusals of a page, up to the maximum. Call it in the order of pages. */
    storeRefusals: (lines: ReadonlyArray<string>) => {
      const listed = lines.slice(0, maxRefusals - refusals)
      refusals += listed.length
      return listed.length === 0 ? Effect.void : append(open, open.refused, listed.join(""))
    },
    /** Writes the last file. It is synced before its rename, so an extraction is complete or absent. */
    finish: (extraction: Extraction) =>
      Effect.flatMap(Effect.orDie(encode(extraction)), (json) =>
        attempt(folder, async (disk) => {
          const file = `${folder}/${rawNames.extraction}`
          await disk.write(`${file}.tmp`, json, { flush: true })
          await disk.rename(`${file}.tmp`, file)
        })
      )
  }
})

export type RawFiles = Effect.Success<ReturnType<typeof makeRawFiles>>

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
