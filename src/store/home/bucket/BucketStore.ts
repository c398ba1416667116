import { createHash, hash } from "node:crypto"
import { dirname } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import {
  type _Object,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2
} from "@aws-sdk/client-s3"
import { Data, Effect, Schedule } from "effect"
import { isFolderName } from "../../../feed/contract/Ids.ts"
import { Disk } from "../../../feed/disk/Disk.ts"
import { makeFolders } from "../../../feed/disk/makeFolders.ts"
import { BucketFailed } from "./BucketFailed.ts"
import { bucketFault, isAway, isRefused, isTaken } from "./bucketFault.ts"
import { nextOfObject, nextOfText } from "./nextOfDamage.ts"
import { openBucket } from "./openBucket.ts"
import { makePatience, StorePatience } from "./StorePatience.ts"

/** A short text, and the tag that says it is still this one. */
export interface FoundText {
  readonly text: string
  readonly tag: string
}

/** A file in the bucket. */
export interface FoundObject {
  readonly path: string
  readonly sizeBytes: number
  /** By the store's clock. */
  readonly writtenMillis: number
}

/** An object is not what its name says, however often it is fetched. */
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

/** An answer that breaks off is asked for again; the SDK does so only up to its first byte. */
const again = {
  schedule: Schedule.exponential("100 millis"),
  times: 4,
  while: ({ damage, isRefused }: BucketFailed) => damage === undefined && isRefused !== true
}

/** What came whole and is something else will hardly be right the next time. */
const onceMore = {
  times: 1,
  while: ({ damage, isRefused }: BucketFailed) => damage !== undefined && isRefused !== true
}

/** The store of a home, by paths below its prefix. Counts the bytes that it fetches and sends. */
export const openStore = Effect.fnUntraced(function* (address: string) {
  const { answers, bucket, client, clock, get, getKey, keyOf, objectKey, putBody, putFile, urlOf } =
    yield* openBucket(address)
  const disk = yield* Disk
  const moved = { requests: 0, fetched: 0, sent: 0 }
  const patience = makePatience(address, yield* StorePatience)

  /** By a key of the bucket, which may be outside the prefix. */
  const readKey = (key: string) =>
    step(`Read s3://${bucket}/${key}`, async (signal): Promise<FoundText | null> => {
      moved.requests++
      const answer = await getKey(key, signal)
      if (answer === null) return null
      const text = (await answer.Body?.transformToString()) ?? ""
      moved.fetched += text.length
      if (answer.ContentLength !== undefined && answer.ContentLength !== Buffer.byteLength(text))
        throw new Error("the answer was cut off")
      return { text, tag: answer.ETag ?? "" }
    }).pipe(Effect.retry(again))
  const read = (path: string) => readKey(keyOf(path))

  /** Writes what depends on nobody else having written: null = nothing is there. False: somebody had. */
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
        new HeadObjectCommand({ Bucket: bucket, Key: objectKey(path) }),
        { abortSignal }
      )
      return { sizeBytes: ContentLength ?? 0, writtenMillis: LastModified?.getTime() ?? 0 }
    })

  /** Creates an object that is called by its sum: what is there already, a request that was sent twice has put there. */
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
      // 409 is an upload at the same moment, which may still fail.
      const there = yield* Effect.option(sizeOf(path))
      if (there._tag === "Some" && there.value.sizeBytes === sizeBytes) return
      if (tries === 4) {
        const reason = "something else is there"
        return yield* new BucketFailed({ step: what, reason, next: "Run this again" })
      }
      yield* Effect.sleep(100 * 2 ** tries)
    }
  })

  /** Fetches an object and compares it with its sum before it is put in its place. */
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

  /** The same for a short text. */
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

  /** What lies below a path, in the order of keys; `after`: only what comes after that one. */
  const list = (path: string, after?: string) =>
    step(`List ${urlOf(path)}`, async (abortSignal) => {
      const Prefix = keyOf(path)
      const all: Array<FoundObject> = []
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client },
        { Bucket: bucket, Prefix, ...(after === undefined ? {} : { StartAfter: keyOf(after) }) },
        { abortSignal }
      )) {
        moved.requests++
        all.push(...Contents.map(foundObject))
      }
      return all
    })

  /** The first 1,000 objects below a path, and whether these are all. With a delimiter, a folder is one name. */
  const first = (path: string, Delimiter?: "/") =>
    step(`List ${urlOf(path)}`, async (abortSignal) => {
      moved.requests++
      const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: keyOf(path), ...(Delimiter && { Delimiter }) })
      const answer = await client.send(command, { abortSignal })
      const found = (answer.Contents ?? []).map(foundObject)
      const folders = (answer.CommonPrefixes ?? []).map(({ Prefix = "" }) => Prefix.slice(keyOf("").length))
      return { found, names: [...found.map(({ path }) => path), ...folders], isAll: answer.IsTruncated !== true }
    })

  const folders = (path: string) =>
    step(`List ${urlOf(path)}`, async (abortSignal) => {
      const Prefix = keyOf(`${path}/`)
      const names: Array<string> = []
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix, Delimiter: "/" }, { abortSignal })
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
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: objectKey(path) }), { abortSignal })
      })
    )

  /** Who answers, once somebody has. */
  const name = Effect.sync(() => answers.by)
  const reads = { read, readKey, sizeOf, fetch, fetchText, list, first, folders }
  /** Texts that never change and were written by this process, by their keys. */
  const documents = new Map<string, Buffer>()
  return { address, urlOf, moved, clock, patience, name, documents, ...reads, swap, create, remove }
})

export type BucketStore = Effect.Success<ReturnType<typeof openStore>>
