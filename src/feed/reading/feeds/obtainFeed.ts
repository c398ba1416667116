import { dirname, join } from "node:path"
import { Effect, type Scope, Stream } from "effect"
import { type OfferedFeed, maxFeedBytes } from "../../client/otherCalls.ts"
import { LinkFailed, FeedStorage } from "../../client/FeedStorage.ts"
import { RetryPolicy } from "../../client/RetryPolicy.ts"
import { waitFor } from "../../client/CallContext.ts"
import type { FeedType } from "../../contract/FeedFile.ts"
import { feedKinds } from "../../contract/records.ts"
import type { UsedFeed } from "../../contract/Via.ts"
import { download } from "../RemoteFiles.ts"
import { type RawFiles, rawNames } from "../RawFiles.ts"
import type { ParsedFeed } from "./parseFeed.ts"
import type { FeedPage } from "./usedFeeds.ts"
import { createHash } from "node:crypto"
import { Disk, onDisk } from "../../disk/Disk.ts"
import { rawFilesFailed } from "../ExtractionError.ts"

/** Downloads a link to a file, piece by piece. Stops if the download far exceeds the stated size. */
const downloadFeed = Effect.fnUntraced(function* (link: string, file: string, statedBytes: number) {
  const storage = yield* FeedStorage
  const failed = (cause: unknown) => rawFilesFailed(file, String(cause))
  const most = Math.min(maxFeedBytes, 1_000_000 + statedBytes * 20)
  const sum = createHash("sha256")
  let sizeBytes = 0
  const handle = yield* Effect.acquireRelease(
    onDisk((disk) => disk.open(file, "w"), failed),
    (handle) => Effect.promise(() => handle.close())
  )
  const take = Effect.fnUntraced(function* (piece: Uint8Array) {
    sizeBytes += piece.length
    sum.update(piece)
    if (sizeBytes > most) {
      const what = "it sends far more data than its stated size"
      return yield* new LinkFailed({ host: "the file's host", kind: "lost", what })
    }
    yield* Effect.tryPromise({ try: () => handle.write(piece), catch: failed })
  })
  yield* Stream.runForEach(storage.bytes(link), take)
  return { sizeBytes, sha256: sum.digest("hex") }
}, Effect.scoped)

/** A feed file that was read completely and matches its description. */
export interface HeldFeed {
  readonly page: FeedPage
  readonly parsed: ParsedFeed
  readonly wasStored: boolean
}

export const feedFileName = (type: FeedType): string => `${rawNames.pages}/${type}.ndjson.gz`

export const feedRequest = (type: FeedType): string => `feed ${type}`

/** Downloads a link, and retries after a broken connection. */
const fetch = Effect.fnUntraced(function* (offered: OfferedFeed, file: string) {
  const policy = yield* RetryPolicy
  for (let attempt = 0; ; attempt++) {
    const result = yield* Effect.result(downloadFeed(offered.url, file, offered.sizeBytes))
    if (result._tag === "Success") return result.success
    const fault = result.failure
    if (fault._tag !== "LinkFailed" || fault.kind !== "lost" || attempt >= policy.times) return yield* fault
    yield* waitFor(Math.min(policy.baseMillis * 2 ** attempt, policy.maxBackoffMillis), "a lost file")
  }
})

/** Returns the fault of a completely read file; null if it matches its description. */
const wrongIn = (parsed: ParsedFeed, offered: OfferedFeed, packedBytes: number): string | null => {
  if (parsed.isPacked && packedBytes !== offered.sizeBytes) {
    return `it has ${packedBytes} bytes instead of ${offered.sizeBytes}`
  }
  if (parsed.checksum !== offered.checksum) return "its checksum differs from the stated one"
  return parsed.records === offered.recordCount
    ? null
    : `it has ${parsed.records} lines instead of ${offered.recordCount}`
}

/**
 * Returns a feed file as offered. It reuses the file of an earlier reading with the stated checksum; otherwise it
 * downloads the file into this reading's folder. Fails with a text, or with the failure of the link.
 */
export const obtainFeed = Effect.fnUntraced(function* (
  type: FeedType,
  offered: OfferedFeed,
  from: {
    readonly files: RawFiles
    /** The file of this reading before a crash. */
    readonly stored: FeedPage | null
    /** The file of the published reading. */
    readonly used: UsedFeed | null
    readonly parse: (file: string, name: string) => Effect.Effect<ParsedFeed, string, Scope.Scope>
  }
): Effect.fn.Return<
  HeldFeed,
  string | LinkFailed | Effect.Error<ReturnType<typeof downloadFeed>>,
  Effect.Services<ReturnType<typeof downloadFeed>> | Scope.Scope
> {
  const { files, parse, stored, used } = from
  const name = feedFileName(type)
  const { checksum, generatedAt, lastRefreshedAt, recordCount } = offered
  const feed = { checksum, generatedAt, lastRefreshedAt }
  const makePage = (sha256: string, more: Partial<FeedPage> = {}): FeedPage => ({
    kind: feedKinds[type],
    request: feedRequest(type),
    requestId: null,
    file: name,
    records: recordCount,
    refused: 0,
    sizeBytes: 0,
    sha256,
    feed,
    ...more
  })
  const read = Effect.fnUntraced(function* (page: FeedPage, file: string, packedBytes: number, wasStored: boolean) {
    const parsed = yield* parse(file, page.file)
    const wrong = wrongIn(parsed, offered, packedBytes)
    if (wrong !== null) return yield* Effect.fail(wrong)
    const { drifted, records, refused, sizeBytes } = parsed
    const counted = { ...page, records, refused, ...(drifted > 0 ? { drifted } : {}), sizeBytes }
    return { page: counted, parsed, wasStored } satisfies HeldFeed
  })
  const places: Array<readonly [FeedPage, string]> = []
  if (stored?.feed.checksum === checksum) places.push([makePage(stored.sha256), join(files.folder, name)])
  if (used?.checksum === checksum) {
    const page = makePage(used.sha256, { file: used.file, feed: { ...feed, run: used.run } })
    places.push([page, join(dirname(files.folder), used.run, used.file)])
  }
  for (const [page, file] of places) {
    yield* Effect.ignore(download(file))
    // A missing or damaged file is downloaded again. The checksum shows damage.
    const held = (yield* Disk).exists(file) ? yield* Effect.result(read(page, file, offered.sizeBytes, true)) : null
    if (held?._tag === "Success") return held.success
  }
  const file = join(files.folder, name)
  const { sha256, sizeBytes } = yield* fetch(offered, file)
  const page = makePage(sha256)
  yield* files.noteFeed(page)
  return yield* read(page, file, sizeBytes, false)
})
