import { createHash, hash } from "node:crypto"
import { dirname } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Effect, Option, Schedule, Schema } from "effect"
import { isFolderName } from "../../../feed/contract/Ids.ts"
import { Disk } from "../../../feed/disk/Disk.ts"
import { makeFolders } from "../../../feed/disk/makeFolders.ts"
import {
  BucketFailed,
  missing,
  nextOfDamage,
  invalidContent,
  bucketFault,
  isDown,
  isConflict,
  isRefused,
  isTaken,
  isTooShort
} from "./BucketFailed.ts"
import { type ObjectPart, openBucket, unlessMissing } from "./openBucket.ts"
import { makePatience, StorePatience } from "./StorePatience.ts"

export interface FoundObject {
  readonly path: string
  readonly sizeBytes: number
  /** The time of the last write, by the store's clock. */
  readonly writtenMillis: number
}

const otherBytes = "its bytes do not match the checksum in its name"

const failed =
  (step: string) =>
  (cause: unknown): BucketFailed =>
    cause instanceof BucketFailed
      ? cause
      : new BucketFailed({
          step,
          ...bucketFault(cause, "run this again"),
          isDown: isDown(cause),
          isRefused: isRefused(cause)
        })

type OpenBucket = Effect.Success<ReturnType<typeof openBucket>>

/** Describes requests, and their failures. */
const makeStep = ({ urlOf }: OpenBucket) => ({
  step: <A>(verb: "Check" | "Read" | "Remove", path: string, run: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: failed(`${verb} ${urlOf(path)}`) }),
  /** The error of an object that is missing, or not what its key says. */
  damaged: (path: string, damage: string, next = nextOfDamage(path, damage)) =>
    new BucketFailed({ step: `Read ${urlOf(path)}`, reason: damage, next, damage })
})
type Steps = ReturnType<typeof makeStep>

/** Retries an interrupted answer; the SDK retries only before its first byte. */
const again = {
  schedule: Schedule.exponential("100 millis"),
  times: 4,
  while: ({ damage, isRefused }: BucketFailed) => damage === undefined && isRefused !== true
}

/** Retries a complete but wrong object only once, because it will probably be wrong again. */
const onceMore = { times: 1, while: ({ damage }: BucketFailed) => damage !== undefined && damage !== missing }

/** The content of a new object: files and texts, one after the other. */
export type ObjectContent = ReadonlyArray<{ readonly file: string } | Buffer>

/** Reads objects. `moved` counts the downloaded bytes. */
const makeReads = ({ get }: OpenBucket, { damaged, step }: Steps, disk: Disk) => {
  const moved = { fetched: 0 }

  /** Returns a short text with its tag and time by the store's clock; null if it is missing. */
  const read = (path: string, part?: ObjectPart) =>
    step("Read", path, async (signal) => {
      const answer = await get(path, signal, part)
      if (answer === null) return null
      const text = (await answer.Body?.transformToString()) ?? ""
      moved.fetched += text.length
      if (answer.ContentLength !== undefined && answer.ContentLength !== Buffer.byteLength(text))
        throw new Error("the answer was cut off")
      return { text, tag: answer.ETag ?? "", writtenMillis: answer.LastModified?.getTime() ?? 0 }
    }).pipe(Effect.retry(again))

  /** Downloads and validates a short text. */
  const fetchText = (path: string, sha256: string, part?: ObjectPart) =>
    Effect.gen(function* () {
      const found = yield* read(path, part)
      if (found === null) return yield* damaged(path, missing)
      return hash("sha256", found.text) === sha256 ? found.text : yield* damaged(path, otherBytes)
    }).pipe(Effect.retry(onceMore))

  /** Opens the bytes of an object. In Node, the body of an answer is a stream. */
  const open = async (path: string, signal: AbortSignal, part?: ObjectPart) => {
    const answer = await get(path, signal, part).catch((cause: unknown) => {
      throw isTooShort(cause) ? damaged(path, otherBytes) : cause
    })
    if (answer === null) throw damaged(path, missing)
    return answer.Body instanceof Readable ? answer.Body : Readable.from([])
  }

  /** Downloads an object or a part of it, and validates its checksum before it replaces the file. */
  const fetch = (path: string, to: string, sha256: string, of?: ObjectPart) =>
    step("Read", path, async (signal) => {
      const part = `${to}.part`
      await makeFolders(disk, dirname(to))
      const body = of?.sizeBytes === 0 ? Readable.from([]) : await open(path, signal, of)
      const sum = createHash("sha256")
      const counting = new Transform({
        transform(chunk: Buffer, _, done) {
          moved.fetched += chunk.length
          sum.update(chunk)
          done(null, chunk)
        }
      })
      try {
        await pipeline(body, counting, disk.writeStream(part))
        if (sum.digest("hex") !== sha256) throw damaged(path, otherBytes)
        await disk.rename(part, to)
      } finally {
        await disk.removeFile(part)
      }
    }).pipe(Effect.retry(again), Effect.retry(onceMore))

  return { moved, read, fetchText, fetch }
}

/** Looks at objects without reading them. */
const makeLooks = ({ look }: OpenBucket, { step }: Steps) => ({
  sizeOf: (path: string) => step("Check", path, async (signal) => (await look(path, signal)).ContentLength ?? 0),
  /** Returns an object's tag and what its writer noted with it; null if it is missing. */
  notesOf: (path: string) =>
    step("Check", path, async (signal) => {
      const answer = await unlessMissing(look(path, signal))
      return answer === null ? null : { tag: answer.ETag ?? "", notes: answer.Metadata ?? {} }
    })
})

/** A tag that no version has. */
export const noTag = '"00000000000000000000000000000000"'

const makeWrites = (
  { putBody, putFile, remove, urlOf }: OpenBucket,
  { step }: Steps,
  { sizeOf }: Pick<ReturnType<typeof makeLooks>, "sizeOf">,
  disk: Disk
) => {
  /** Returns null on a conflict. */
  const put = <A>(path: string, write: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({ try: write, catch: (cause) => ({ cause }) }).pipe(
      // Which of the writers wins is known only after its write.
      Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 5, while: ({ cause }) => isConflict(cause) }),
      Effect.catch(({ cause }) =>
        isTaken(cause) ? Effect.succeed(null) : Effect.fail(failed(`Write ${urlOf(path)}`)(cause))
      )
    )

  /**
   * Writes only if the object's tag is unchanged; null: only if it does not exist. Returns the tag of the new version;
   * null on a conflict.
   */
  const swap = (path: string, content: string | Buffer, tag: string | null, notes?: Readonly<Record<string, string>>) =>
    put(path, async (signal) => {
      const { ETag = noTag } = await putBody(path, Buffer.from(content), signal, {
        ...(tag === null ? { IfNoneMatch: "*" } : { IfMatch: tag }),
        ...(notes === undefined ? {} : { Metadata: notes })
      })
      return ETag
    })

  /** Creates an object of an attempt. If it exists already, an earlier try of the request wrote it. */
  const create = Effect.fnUntraced(function* (path: string, from: ObjectContent, sizeBytes: number) {
    const isNew = { IfNoneMatch: "*" }
    const only = from.length === 1 ? from[0] : undefined
    const readPiece = async (piece: ObjectContent[number]) => ("file" in piece ? await disk.read(piece.file) : piece)
    const isCreated = yield* put(path, async (signal) =>
      only !== undefined && "file" in only
        ? await putFile(path, only.file, signal, isNew)
        : await putBody(path, Buffer.concat(await Promise.all(from.map(readPiece))), signal, isNew)
    )
    if (isCreated !== null || (yield* Effect.orElseSucceed(sizeOf(path), () => null)) === sizeBytes) return
    const reason = "something else is there"
    return yield* new BucketFailed({ step: `Write ${urlOf(path)}`, reason, next: "Run this again" })
  })

  return {
    swap,
    create,
    remove: (path: string) => Effect.asVoid(step("Remove", path, (signal) => remove(path, signal)))
  }
}

const makeLists = ({ bucket, keyOf, list: listKeys }: OpenBucket) => {
  const page = (prefix: string, options?: Parameters<typeof listKeys>[2]) =>
    Effect.tryPromise({
      try: (signal) => listKeys(prefix, signal, options),
      catch: failed(`List s3://${bucket}/${prefix}`)
    })
  const toPath = (key: string) => key.slice(keyOf("").length)

  /** Lists the objects below a path, in the order of keys; `after`: only later keys. */
  const list = (path: string, after?: string) =>
    Effect.map(page(keyOf(path), after === undefined ? {} : { StartAfter: keyOf(after) }), ({ objects }) =>
      objects.map(({ Key = "", LastModified, Size = 0 }): FoundObject => ({
        path: toPath(Key),
        sizeBytes: Size,
        writtenMillis: LastModified?.getTime() ?? 0
      }))
    )

  /** Lists the first 1,000 keys of the bucket that begin so, also outside the prefix. With a delimiter, a folder is one name. */
  const firstKeys = (prefix: string, Delimiter?: "/") =>
    Effect.map(page(prefix, { isFirst: true, ...(Delimiter && { Delimiter }) }), ({ folders, objects }) => [
      ...objects.map(({ Key = "" }) => Key),
      ...folders
    ])

  /** Lists the first 1,000 objects below a path. */
  const first = (path: string, delimiter?: "/") =>
    Effect.map(firstKeys(keyOf(path), delimiter), (keys) => keys.map(toPath))

  const folders = (path: string) =>
    Effect.map(page(keyOf(`${path}/`), { Delimiter: "/" }), (found) =>
      found.folders.map((folder) => toPath(folder).slice(path.length + 1, -1)).filter(isFolderName)
    )

  return { list, firstKeys, first, folders }
}

/** Opens the store of a home, by paths relative to its prefix. */
export const openStore = Effect.fnUntraced(function* (address: string) {
  const opened = yield* openBucket(address)
  const { answers, clock, urlOf } = opened
  const disk = yield* Disk
  const steps = makeStep(opened)
  const looks = makeLooks(opened, steps)
  const patience = makePatience(address, yield* StorePatience)
  /** The store's name, once it has answered. */
  const name = Effect.sync(() => answers.by)
  const access = {
    ...makeReads(opened, steps, disk),
    ...looks,
    ...makeLists(opened),
    ...makeWrites(opened, steps, looks, disk)
  }
  return { address, urlOf, clock, patience, name, damaged: steps.damaged, ...access }
})

export type BucketStore = Effect.Success<ReturnType<typeof openStore>>

/** The minimum size of an upload that may take long on a slow connection. */
const longBytes = 8 * 1024 * 1024

/**
 * Returns a store that retries idempotent requests while it is unreachable. Swaps are not retried, because the caller
 * reads the document again, which shows if a swap succeeded without an answer.
 */
export const patientStore = (store: BucketStore): BucketStore => {
  const { wait } = store.patience
  return {
    ...store,
    read: (path, part) => wait(store.read(path, part)),
    fetchText: (path, sha256, part) => wait(store.fetchText(path, sha256, part)),
    fetch: (path, to, sha256, part) => wait(store.fetch(path, to, sha256, part), true),
    first: (path, delimiter) => wait(store.first(path, delimiter)),
    list: (path, after) => wait(store.list(path, after)),
    create: (path, from, sizeBytes) => wait(store.create(path, from, sizeBytes), sizeBytes > longBytes)
  }
}

/** Decodes a document. `fits` checks that the document belongs to its key. */
export const decoded = <S extends Schema.Decoder<unknown>>(
  { damaged }: Pick<BucketStore, "damaged">,
  path: string,
  schema: S,
  text: string,
  fits: (document: S["Type"]) => boolean = () => true
): Effect.Effect<S["Type"], BucketFailed> => {
  const read = Schema.decodeUnknownOption(Schema.fromJsonString(schema))(text)
  return Option.isSome(read) && fits(read.value)
    ? Effect.succeed(read.value)
    : Effect.fail(damaged(path, invalidContent))
}

export const encodeText = <S extends Schema.Encoder<unknown>>(schema: S, value: S["Type"]) =>
  Effect.map(Effect.orDie(Schema.encodeEffect(schema)(value)), (json) => `${JSON.stringify(json)}\n`)

/** Reads a swapped document; null if it does not exist. */
export const readDocument = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(
  store: BucketStore,
  path: string,
  schema: S
) {
  const found = yield* store.read(path)
  return found === null ? null : yield* decoded(store, path, schema, found.text)
})
