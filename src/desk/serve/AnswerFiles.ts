import { join } from "node:path"
import { type Duration, Effect, RcMap, Semaphore } from "effect"
import { HttpPlatform, HttpServerRequest, HttpServerResponse, HttpStaticServer } from "effect/http"
import { withDisk } from "../../feed/disk/Disk.ts"
import { type LakeError, lakeStep } from "../../feed/reading/LakeError.ts"
import { privateFolder, recordOfFile, type FileDamaged } from "../../store/home/disk.ts"
import type { Home } from "../../store/home/Home.ts"
import type { UnsupportedContract } from "../../store/home/jsonFile.ts"
import type { Lake } from "../../store/lake/duckdb/Lake.ts"
import type { NoLake } from "../../store/lake/publish/openLake.ts"
import { Busy, type Gone } from "./ServeApi.ts"

/** Bounds of the files that are kept. Files that are being sent count, but are not deleted. */
const maxBytes = 2 * 2 ** 30
const maxFiles = 200
/** How many publications a file outlives. */
const keptPublications = 2
/** How many files are made at once, and how long one may take, its wait included. */
const builders = 2
const maxDuration: Duration.Input = "120 seconds"

const mimeTypes = {
  ndjson: "application/x-ndjson; charset=utf-8",
  json: "application/json; charset=utf-8",
  parquet: "application/vnd.apache.parquet"
}

/** What the home and its lake can fail with. */
export type StoreError = LakeError | NoLake | FileDamaged | UnsupportedContract

/** An answer that is made once as a file and sent to everybody who requests it. */
interface Answer {
  /** Two answers with the same key are equal. */
  readonly key: string
  readonly format: keyof typeof mimeTypes
  /** The publication that it is of. */
  readonly sequence: number
  readonly write: (file: string) => Effect.Effect<void, StoreError | Gone | Busy, Home | Lake>
}

/** Returns a handler that sends files of a folder, or ranges of them. Their ETag is their checksum, which is their name. */
const sendFrom = Effect.fnUntraced(function* (folder: string) {
  const platform = yield* HttpPlatform.HttpPlatform
  const fileResponse: typeof platform.fileResponse = (path, options) =>
    Effect.map(platform.fileResponse(path, options), (answer) =>
      // Two answers can be made in one second, so a time says nothing.
      HttpServerResponse.removeHeader(answer, "last-modified").pipe(
        HttpServerResponse.setHeader("etag", `"${/(\w+)\.\w+$/.exec(path)?.[1]}"`)
      )
    )
  return yield* HttpStaticServer.make({ root: folder, mimeTypes, cacheControl: "no-cache" }).pipe(
    Effect.provideService(HttpPlatform.HttpPlatform, { ...platform, fileResponse })
  )
})

interface Kept {
  readonly sequence: number
  readonly sizeBytes: number
}

/** Returns the files of publications that are too far back, and those that were not requested for the longest time. */
const findDisposable = (kept: ReadonlyMap<string, Kept>, last: number): ReadonlyArray<string> => {
  let [bytes, count] = [Array.from(kept.values()).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), kept.size]
  return Array.from(kept).flatMap(([key, { sequence, sizeBytes }]) => {
    if (sequence >= last - keptPublications && bytes <= maxBytes && count <= maxFiles) return []
    bytes -= sizeBytes
    count -= 1
    return [key]
  })
}

/**
 * Files of answers in a folder of this process. Sending one holds no DuckDB connection, however slow the reader.
 */
export const makeAnswerFiles = Effect.gen(function* () {
  const folder = yield* privateFolder
  const slots = Semaphore.makeUnsafe(builders)
  const pending = new Map<string, Answer>()
  /** The files that are there, the one that was requested last at the end. */
  const kept = new Map<string, Kept>()
  const make = Effect.fnUntraced(function* (key: string) {
    const { format, sequence, write } = pending.get(key) ?? (yield* Effect.die(new Error(`Nobody asked for ${key}`)))
    const place = yield* Effect.acquireRelease(
      lakeStep("Make a folder for an answer", (disk) => disk.makeUniqueFolder(join(folder, "answer-"))),
      (path) => withDisk((disk) => disk.remove(path))
    )
    const file = join(place, "new")
    yield* slots
      .withPermit(write(file))
      .pipe(
        Effect.timeoutOrElse({
          duration: maxDuration,
          orElse: () => Effect.fail(new Busy({ detail: "The answer took too long. Ask again later, or for less" }))
        })
      )
    const { sha256, sizeBytes } = yield* recordOfFile(file)
    const named = `${sha256}.${format}`
    yield* lakeStep("Name an answer", (disk) => disk.rename(file, join(place, named)))
    const entry = { sequence, sizeBytes }
    yield* Effect.addFinalizer(() => Effect.sync(() => kept.get(key) === entry && kept.delete(key)))
    return { entry, address: `${place.slice(folder.length)}/${named}` }
  })
  const files = yield* RcMap.make({ lookup: make, idleTimeToLive: "1 hour" })
  const send = yield* sendFrom(folder)

  /** Deletes the files that are no longer needed after a publication. */
  const tidy = (last: number) =>
    Effect.forEach(findDisposable(kept, last), (key) => RcMap.invalidate(files, key), { discard: true })

  return {
    tidy,
    /** Sends an answer, or a part of it, to the request at hand. */
    send: Effect.fnUntraced(function* (answer: Answer, last: number) {
      pending.set(answer.key, answer)
      const { address, entry } = yield* RcMap.get(files, answer.key).pipe(
        Effect.tapError(() => RcMap.invalidate(files, answer.key)),
        Effect.ensuring(Effect.sync(() => pending.delete(answer.key)))
      )
      kept.delete(answer.key)
      kept.set(answer.key, entry)
      yield* tidy(last)
      const request = yield* HttpServerRequest.HttpServerRequest
      return yield* Effect.provideService(send, HttpServerRequest.HttpServerRequest, request.modify({ url: address }))
    })
  }
})

export type AnswerFiles = Effect.Success<typeof makeAnswerFiles>
