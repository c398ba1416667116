import { hash } from "node:crypto"
import { gzip } from "node:zlib"
import { DateTime, Effect, Schema } from "effect"
import { type Disk, onDisk, type OpenFile } from "../disk/Disk.ts"
import { makeFolders } from "../disk/makeFolders.ts"
import { Extraction, type RawPage } from "./Extraction.ts"
import type { PageKind } from "../contract/records.ts"
import { RawFilesFailed } from "./ExtractionError.ts"
import type { ParsedBody } from "./openWith.ts"

/** Names inside an extraction's folder. */
export const rawNames = {
  extraction: "extraction.json",
  refusals: "refusals.ndjson",
  ledger: "ledger.ndjson",
  pages: "pages"
} as const

/** Where a page is in an extraction's folder. */
export const pageFile = (kind: PageKind, number: number): string =>
  `${rawNames.pages}/${kind}-${String(number).padStart(6, "0")}.json.gz`

/** Refused records that a reading lists. All of them are counted, and are in the raw pages. */
export const maxRefusals = 25_000

const gzipped = (bytes: Uint8Array) =>
  Effect.callback<Uint8Array>((resume) => {
    // Level 1: three times faster than the default for a tenth more bytes.
    gzip(bytes, { level: 1 }, (cause, zipped) => resume(cause === null ? Effect.succeed(zipped) : Effect.die(cause)))
  })

const failedIn = (folder: string) => (cause: unknown) =>
  new RawFilesFailed({ folder, cause: cause instanceof Error ? cause.message : String(cause) })

/** Runs a step on the files of a reading. */
const attempt = <A>(folder: string, run: (disk: Disk) => Promise<A>) => onDisk(run, failedIn(folder))

/**
 * Neither renamed nor synced: a page that a killed run left half-written does not count, as it is not in
 * the ledger or has another sha256. On another thread, as a write may wait for memory or the disk.
 */
const writePage = (folder: string, name: string, bytes: Uint8Array) =>
  attempt(folder, (disk) => disk.write(`${folder}/${name}`, bytes))

/** What a ledger says of a page's records. */
const figuresOf = ({ accepted, drifted, received, sizeBytes }: ParsedBody<unknown>["parsed"]) => ({
  records: received,
  refused: received - accepted,
  ...(drifted > 0 ? { drifted } : {}),
  sizeBytes
})

const encode = Schema.encodeEffect(Schema.fromJsonString(Extraction))

/** What is open of an extraction's folder while it is written. */
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

/** Empties the folder for a round, or for the rest of one that is continued. The ledger stays. */
const emptyFolder = ({ folder, ledger, refused }: OpenFolder, continued: boolean) =>
  attempt(folder, async (disk) => {
    await disk.removeFile(`${folder}/${rawNames.extraction}`)
    const pages = `${folder}/${rawNames.pages}`
    if (!continued) await disk.remove(pages)
    await makeFolders(disk, pages)
    refused.truncateNow()
    // On a line of its own, even after a half-written one.
    ledger.appendNow("\n")
  })

type StoredBody = Omit<ParsedBody<unknown>, "pagination" | "received" | "sentBytes">

/** Stores a page as it came, and notes it in the ledger. */
const storePageIn = Effect.fnUntraced(function* (
  open: OpenFolder,
  kind: PageKind,
  number: number,
  { bytes: sent, parsed, ...body }: StoredBody
): Effect.fn.Return<RawPage, RawFilesFailed> {
  const file = pageFile(kind, number)
  const bytes = parsed.gzip ? sent : yield* gzipped(sent)
  if (body.file !== file) yield* writePage(open.folder, file, bytes)
  const { request, requestId } = body
  const page: RawPage = { kind, request, requestId, file, ...figuresOf(parsed), sha256: hash("sha256", bytes, "hex") }
  yield* noteIn(open, page)
  return page
})

/**
 * The files of one extraction while it is written, in `<home>/raw/<game>/<run>`. Its ledger has a line for the
 * start of a round, each stored page, and a rejected round, which no later run continues. Design: decision 3.
 */
export const makeRawFiles = Effect.fnUntraced(function* (folder: string) {
  const open = yield* openFolder(folder)
  let refusals = 0
  return {
    folder,
    /**
     * Opens the folder for a round. If `startedAt` is given, it continues the round that started then;
     * otherwise it removes what is left of an abandoned round.
     */
    startRound: Effect.fnUntraced(function* (round: number, head: string | null, startedAt: string | null = null) {
      const continued = startedAt !== null
      yield* emptyFolder(open, continued)
      refusals = 0
      const start = startedAt ?? DateTime.formatIso(yield* DateTime.now)
      yield* noteIn(open, { round, head, startedAt: start, continued })
    }),
    /** A round that cannot be used: no later reading continues with its pages. */
    rejectRound: (reasons: ReadonlyArray<string>) => noteIn(open, { rejected: reasons }),
    /** The round is one by feed files, which another one by feed files may continue. */
    noteFeeds: noteIn(open, { via: "feeds" }),
    /** A feed file is there as it came. */
    noteFeed: (page: RawPage) => noteIn(open, page),
    storePage: (kind: PageKind, number: number, body: StoredBody) => storePageIn(open, kind, number, body),
    /** Stores the refusals of a page, up to the bound; called in the order of pages. */
    storeRefusals: (lines: ReadonlyArray<string>) => {
      const listed = lines.slice(0, maxRefusals - refusals)
      refusals += listed.length
      return listed.length === 0 ? Effect.void : append(open, open.refused, listed.join(""))
    },
    /** The last file: synced before it gets its name, so that an extraction is complete or absent. */
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
