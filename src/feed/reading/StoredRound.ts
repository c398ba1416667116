import { hash } from "node:crypto"
import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import { onDisk, withDisk } from "../disk/Disk.ts"
import { leaveLargePageLock, type Answer, type OpenedPage } from "../client/RawBody.ts"
import type { Marketplace } from "../client/Marketplace.ts"
import type { OpenPage, PageCall } from "../client/pageCalls.ts"
import { noSecret } from "../client/scrub.ts"
import { Via } from "../contract/Via.ts"
import { RawPage } from "./Extraction.ts"
import { rawNames } from "./RawFiles.ts"
import { joinBelow } from "../guard/joinBelow.ts"
import { rawFilesFailed } from "./ExtractionError.ts"

/** The last round (attempt to read all lists) of a reading without a snapshot, according to the reading's ledger. */
export interface StoredRound {
  readonly folder: string
  /** The deployment that was live when the round began. */
  readonly head: string | null
  /** The time at which its first page was requested. */
  readonly startedAt: string
  readonly via: Via
  /** The pages that the ledger lists as stored, by request. */
  readonly pages: ReadonlyMap<string, RawPage>
}

const Line = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({
      round: Schema.Int,
      head: Schema.NullOr(Schema.String),
      startedAt: Schema.String,
      continued: Schema.Boolean
    }),
    Schema.Struct({ rejected: Schema.Array(Schema.String) }),
    Schema.Struct({ via: Via }),
    RawPage
  ])
)
const decodeLine = Schema.decodeUnknownOption(Line)

/** Returns the text of a reading's ledger; empty if it cannot be read. */
const ledgerText = (folder: string) => withDisk((disk) => disk.readText(join(folder, rawNames.ledger)).catch(() => ""))

/** The ledger in a folder; null without a round, or if the last was rejected. Skips half-written lines. */
const readStoredRound = Effect.fnUntraced(function* (folder: string): Effect.fn.Return<StoredRound | null> {
  const text = yield* ledgerText(folder)
  let round: (Omit<StoredRound, "via"> & { readonly pages: Map<string, RawPage> }) | null = null
  let via: Via = "pages"
  for (const json of text.split("\n")) {
    const line = Option.getOrNull(decodeLine(json))
    if (line === null) continue
    if ("request" in line) round?.pages.set(line.request, line)
    else if ("rejected" in line) round = null
    else if ("via" in line) via = line.via
    else {
      const pages: Map<string, RawPage> = line.continued && round !== null ? round.pages : new Map()
      round = { folder, head: line.head, startedAt: line.startedAt, pages }
      via = "pages"
    }
  }
  return round === null ? null : { ...round, via }
})

/** Records in a folder's ledger that no later reading may reuse its pages, if the ledger is writable. */
export const rejectReading = (folder: string, reason: string): Effect.Effect<void> =>
  withDisk((disk) =>
    disk.append(join(folder, rawNames.ledger), `\n${JSON.stringify({ rejected: [reason] })}\n`).catch(() => {})
  )

/**
 * Moves the saved progress of an interrupted reading to the folder of the reading that resumes it. Returns that
 * progress, or null if there is none. Progress that must not be resumed remains in its folder.
 */
export const adoptRound = Effect.fnUntraced(function* (
  resume: string | null,
  folder: string,
  mayContinue: (stored: StoredRound) => boolean
) {
  const stored = resume === null ? null : yield* readStoredRound(resume)
  if (stored === null || !mayContinue(stored)) return null
  return yield* withDisk((disk) =>
    disk.rename(stored.folder, folder).then(
      (): StoredRound => ({ ...stored, folder }),
      () => null
    )
  )
})

/**
 * Returns the newest reading in a game's folder (`<home>/raw/<game>`) that can be continued, finished or not. A reading
 * with a snapshot cannot: `used` lists the runs that have one. Null if there is none.
 */
export const unfinishedExtraction = (gameFolder: string, used: ReadonlySet<string>): Effect.Effect<string | null> =>
  Effect.map(
    withDisk((disk) => disk.list(gameFolder).catch(() => [])),
    (found) => {
      const runs = found.map(({ name }) => name).filter((run) => !used.has(run))
      const newest = runs.sort().at(-1)
      return newest === undefined ? null : join(gameFolder, newest)
    }
  )

/** Opens a stored page; null if it is incomplete or missing and must be requested. */
export const storedPage = Effect.fnUntraced(function* <P, A extends OpenedPage<P>>(
  { folder, pages }: Pick<StoredRound, "folder" | "pages">,
  call: PageCall<P>,
  open: OpenPage<P, A>
): Effect.fn.Return<A | null> {
  const stored = pages.get(call.request)
  if (stored === undefined) return null
  const bytes = yield* withDisk((disk) => disk.read(joinBelow(folder, stored.file)).catch(() => null))
  if (bytes === null || hash("sha256", bytes, "hex") !== stored.sha256) return null
  const { file, request, requestId } = stored
  const answer: Answer = { request, requestId, bytes, encoding: "gzip", file }
  return yield* Effect.orElseSucceed(open(answer, call, noSecret), () => null)
})

/** A marketplace that reads pages of an earlier run from the disk. `onStored` is called for each of them. */
export const continuedMarketplace = (
  marketplace: Marketplace["Service"],
  round: StoredRound,
  onStored: () => void
): Marketplace["Service"] => ({
  ...marketplace,
  opened: <P, A extends OpenedPage<P>>(call: PageCall<P>, open: OpenPage<P, A>) =>
    Effect.flatMap(storedPage(round, call, open), (page) => {
      if (page === null) return Effect.andThen(leaveLargePageLock, marketplace.opened(call, open))
      onStored()
      return Effect.succeed(page)
    })
})

type Mark = "begun" | "ended"

const formatLine = (load: Mark): string => JSON.stringify({ load })

/** Records in a reading's ledger that its load begins or has ended, flushed to survive a crash. */
export const markLoad = (folder: string, mark: Mark) =>
  onDisk(
    (disk) => disk.append(join(folder, rawNames.ledger), `\n${formatLine(mark)}\n`, { flush: true }),
    (cause) => rawFilesFailed(folder, String(cause))
  )

/** True if the ledger in a folder shows that a process crashed while it loaded the reading. */
export const diedLoading = (folder: string): Effect.Effect<boolean> =>
  Effect.map(
    ledgerText(folder),
    (ledger) => ledger.lastIndexOf(`\n${formatLine("begun")}\n`) > ledger.lastIndexOf(`\n${formatLine("ended")}\n`)
  )
