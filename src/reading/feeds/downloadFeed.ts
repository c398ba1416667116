import { createHash } from "node:crypto"
import { open } from "node:fs/promises"
import { Effect, Stream } from "effect"
import { maxFeedBytes } from "../../client/feedFiles.ts"
import { FeedStorage } from "../../client/links/FeedStorage.ts"
import { LinkFailed } from "../../client/links/linksBeside.ts"
import { RawFilesFailed } from "../ExtractionError.ts"

/** A file as it came. */
export interface Downloaded {
  readonly sizeBytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** Writes what is behind a link to a file, piece by piece. It stops where far more come than were stated. */
export const downloadFeed = Effect.fnUntraced(function* (link: string, file: string, statedBytes: number) {
  const storage = yield* FeedStorage
  const failed = (cause: unknown) => new RawFilesFailed({ folder: file, cause: String(cause) })
  const most = Math.min(maxFeedBytes, 1_000_000 + statedBytes * 20)
  const sum = createHash("sha256")
  let sizeBytes = 0
  const handle = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => open(file, "w"), catch: failed }),
    (handle) => Effect.promise(() => handle.close())
  )
  const take = Effect.fnUntraced(function* (piece: Uint8Array) {
    sizeBytes += piece.length
    sum.update(piece)
    if (sizeBytes > most) {
      return yield* new LinkFailed({ host: "the file's host", kind: "lost", what: "it sends far more than was stated" })
    }
    yield* Effect.tryPromise({ try: () => handle.writeFile(piece), catch: failed })
  })
  yield* Stream.runForEach(storage.bytes(link), take)
  return { sizeBytes, sha256: sum.digest("hex") } satisfies Downloaded
}, Effect.scoped)
