import { createHash, hash } from "node:crypto"
import { dirname } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { _Object } from "@aws-sdk/client-s3"
import { Data, Effect, Schedule } from "effect"
import { isFolderName } from "../../../feed/contract/Ids.ts"
import { Disk } from "../../../feed/disk/Disk.ts"
import { makeFolders } from "../../../feed/disk/makeFolders.ts"
import { BucketFailed } from "./BucketFailed.ts"
import { bucketFault, isAway, isRefused, isTaken } from "./bucketFault.ts"
import { nextOfObject, nextOfText } from "./nextOfDamage.ts"
import { openBucket } from "./openBucket.ts"
import { makePatience, StorePatience } from "./StorePatience.ts"

/** A short text, with the tag of this version. */
export interface FoundText {
  readonly text: string
  readonly tag: string
}

/** A file in the bucket. */
export interface FoundObject {
  readonly path: string
  readonly sizeBytes: number
  /** The time of the last write, by the store's clock. */
  readonly writtenMillis: number
}

/** The object does not match its name, also after retries. */
class NotThatObject extends Data.TaggedError("NotThatObject")<{ readonly message: string; readonly next: string }> {}

const gone = "it is missing"
const step = <A>(what: string, run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, BucketFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => {
      if (!(cause instanceof NotThatObject))
        return new BucketFailed({
          step: what,
          ...bucketFault(cause, "run this again"),
          isAway: isAway(cause),
          isRefused: isRefused(cause)
        })
      const { message, next } = cause
      return new BucketFailed({ step: what, reason: message, next, damage: message, isRefused: message === gone })
    }
  })

/** Retries an interrupted answer; the SDK retries only before its first byte. */
const again = {
  schedule: Schedule.exponential("100 millis"),
  times: 4,
  while: ({ damage, isRefused }: BucketFailed) => damage === undefined && isRefused !== true
}

/** Retries a complete but wrong object only once, because it will probably be wrong again. */
const onceMore = {
  times: 1,
  while: ({ damage, isRefused }: BucketFailed) => damage !== undefined && isRefused !== true
}

/** Opens the store of a home, by paths relative to its prefix. It counts the downloaded and uploaded bytes. */
export const openStore = Effect.fnUntraced(function* (address: string) {
  const { answers, bucket, client, clock, get, keyOf, objectKey, putBody, putFile, sdk, urlOf } =
    yield* openBucket(address)
  const disk = yield* Disk
  const moved = { requests: 0, fetched: 0, sent: 0 }
  const patience = makePatience(address, yield* StorePatience)

  const read = (path: string) =>
    step(`Read ${urlOf(path)}`, async (signal): Promise<FoundText | null> => {
      moved.requests++
      const answer = await get(path, signal)
      if (answer === null) return null
      const text = (await answer.Body?.transformToString()) ?? ""
      moved.fetched += text.length
      if (answer.ContentLength !== undefined && answer.ContentLength !== Buffer.byteLength(text))
        throw new Error("the answer was cut off")
      return { text, tag: answer.ETag ?? "" }
    }).pipe(Effect.retry(again))

  /** Writes only if the object's tag is unchanged; null: only if it does not exist. Returns false on a conflict. */
  const swap = (path: string, text: string, tag: string | null) =>
    step(`Write ${urlOf(path)}`, async (signal) => {
      moved.requests++
      moved.sent += text.length
      try {
        await putBody(path, Buffer.from(text), signal, tag === null ? { IfNoneMatch: "*" } : { IfMatch: tag })
        return true
      } catch (cause) {
        if (isTaken(cause)) return false
        throw cause
      }
    })

  const sizeOf = (path: string) =>
    step(`Check ${urlOf(path)}`, async (abortSignal) => {
      moved.requests++
      const { ContentLength, LastModified } = await client.send(
        new sdk.HeadObjectCommand({ Bucket: bucket, Key: objectKey(path) }),
        { abortSignal }
      )
      return { sizeBytes: ContentLength ?? 0, writtenMillis: LastModified?.getTime() ?? 0 }
    })

  /** Creates an object that is named by its checksum. If it exists already, an earlier try of the request wrote it. */
  const create = Effect.fnUntraced(function* (
    path: string,
    from: { readonly file: string } | Buffer,
    sizeBytes: number
  ) {
    const what = `Write ${urlOf(path)}`
    for (let tries = 0; ; tries++) {
      const isNew = yield* step(what, async (signal) => {
        moved.requests++
        moved.sent += sizeBytes
        try {
          if (Buffer.isBuffer(from)) await putBody(path, from, signal, { IfNoneMatch: "*" })
          else await putFile(path, from.file, signal, { IfNoneMatch: "*" })
          return true
        } catch (cause) {
          if (isTaken(cause)) return false
          throw cause
        }
      })
      if (isNew) return
      // Status 409 is a concurrent upload, which may still fail.
      const there = yield* Effect.option(sizeOf(path))
      if (there._tag === "Some" && there.value.sizeBytes === sizeBytes) return
      if (tries === 4) {
        const reason = "something else is there"
        return yield* new BucketFailed({ step: what, reason, next: "Run this again" })
      }
      yield* Effect.sleep(100 * 2 ** tries)
    }
  })

  /** Downloads an object and validates its checksum before it replaces the file. */
  const fetch = (path: string, to: string, sha256: string) =>
    step(`Read ${urlOf(path)}`, async (signal) => {
      moved.requests++
      const part = `${to}.part`
      await makeFolders(disk, dirname(to))
      const answer = await get(path, signal)
      if (answer === null) throw new NotThatObject({ message: gone, next: nextOfObject(path) })
      const sum = createHash("sha256")
      const counting = new Transform({
        transform(chunk: Buffer, _, done) {
          moved.fetched += chunk.length
          sum.update(chunk)
          done(null, chunk)
        }
      })
      try {
        // In Node, the body of an answer is a stream.
        await pipeline(
          answer.Body instanceof Readable ? answer.Body : Readable.from([]),
          counting,
          disk.writeStream(part)
        )
        if (sum.digest("hex") !== sha256)
          throw new NotThatObject({
            message: "its bytes do not match the checksum in its name",
            next: nextOfObject(path)
          })
        await disk.rename(part, to)
      } finally {
        await disk.removeFile(part)
      }
    }).pipe(Effect.retry(again), Effect.retry(onceMore))

  /** Downloads and validates a short text. */
  const fetchText = (path: string, sha256: string) =>
    Effect.flatMap(read(path), (found) =>
      step(`Read ${urlOf(path)}`, async () => {
        if (found === null) throw new NotThatObject({ message: gone, next: nextOfText(path) })
        if (hash("sha256", found.text) !== sha256)
          throw new NotThatObject({
            message: "its bytes do not match the checksum in its name",
            next: nextOfText(path)
          })
        return found.text
      })
    ).pipe(Effect.retry(onceMore))

  const foundObject = ({ Key = "", LastModified, Size }: _Object): FoundObject => ({
    path: Key.slice(keyOf("").length),
    sizeBytes: Size ?? 0,
    writtenMillis: LastModified?.getTime() ?? 0
  })

  /** Lists the objects below a path, in the order of keys; `after`: only later keys. */
  const list = (path: string, after?: string) =>
    step(`List ${urlOf(path)}`, async (abortSignal) => {
      const Prefix = keyOf(path)
      const all: Array<FoundObject> = []
      for await (const { Contents = [] } of sdk.paginateListObjectsV2(
        { client },
        { Bucket: bucket, Prefix, ...(after === undefined ? {} : { StartAfter: keyOf(after) }) },
        { abortSignal }
      )) {
        moved.requests++
        all.push(...Contents.map(foundObject))
      }
      return all
    })

  /** Lists the first 1,000 keys of the bucket that begin so, also outside the prefix. */
  const firstKeys = (Prefix: string, Delimiter?: "/") =>
    step(`List s3://${bucket}/${Prefix}`, async (abortSignal) => {
      moved.requests++
      const command = new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix, ...(Delimiter && { Delimiter }) })
      const { CommonPrefixes = [], Contents = [] } = await client.send(command, { abortSignal })
      return [...Contents.map(({ Key = "" }) => Key), ...CommonPrefixes.map(({ Prefix: folder = "" }) => folder)]
    })

  /** Lists the first 1,000 objects below a path. With a delimiter, a folder is one name. */
  const first = (path: string, delimiter?: "/") =>
    Effect.map(firstKeys(keyOf(path), delimiter), (keys) => keys.map((key) => key.slice(keyOf("").length)))

  const folders = (path: string) =>
    step(`List ${urlOf(path)}`, async (abortSignal) => {
      const Prefix = keyOf(`${path}/`)
      const names: Array<string> = []
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix, Delimiter: "/" }, { abortSignal })
      for await (const { CommonPrefixes = [] } of pages) {
        moved.requests++
        names.push(...CommonPrefixes.map((one) => (one.Prefix ?? "").slice(Prefix.length).replace(/\/$/, "")))
      }
      return names.filter(isFolderName)
    })

  const remove = (path: string) =>
    Effect.asVoid(
      step(`Remove ${urlOf(path)}`, async (abortSignal) => {
        moved.requests++
        await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: objectKey(path) }), { abortSignal })
      })
    )

  /** The store's name, once it has answered. */
  const name = Effect.sync(() => answers.by)
  const reads = { read, sizeOf, fetch, fetchText, list, first, firstKeys, folders }
  return { address, urlOf, moved, clock, patience, name, ...reads, swap, create, remove }
})

export type BucketStore = Effect.Success<ReturnType<typeof openStore>>
