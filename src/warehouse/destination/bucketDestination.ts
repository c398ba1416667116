import { join } from "node:path"
import { Disk } from "../../feed/disk/Disk.ts"
import { randomUuid } from "../../feed/disk/random.ts"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Effect, Schedule } from "effect"
import { bucketFault, isDown, isNotImplemented, isTaken } from "../../store/home/bucket/BucketFailed.ts"
import { openBucket } from "../../store/home/bucket/openBucket.ts"
import { privateFolder } from "../../store/home/disk.ts"
import { type Destination, DestinationFailed } from "./Destination.ts"

/** The metadata key of an object for the export that created it. */
const claimKey = "cardlake-claim"

const failed = (what: string) => (cause: unknown) =>
  new DestinationFailed({ step: what, ...bucketFault(cause, "export again") })

const step = <A>(what: string, run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, DestinationFailed> =>
  Effect.tryPromise({ try: run, catch: failed(what) })

/** The SDK retries until a response begins. This also retries a response that breaks off. */
const readStep = <A>(what: string, run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, DestinationFailed> =>
  Effect.tryPromise({ try: run, catch: (cause) => ({ cause }) }).pipe(
    Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 4, while: ({ cause }) => isDown(cause) }),
    Effect.mapError(({ cause }) => failed(what)(cause))
  )

type OpenBucket = Effect.Success<ReturnType<typeof openBucket>>

/** Creates an object. It checks first, because stores without conditional writes would overwrite. */
const createObject = async (
  { get, putBody }: OpenBucket,
  path: string,
  { body, claim, signal }: { readonly body: Buffer; readonly claim: string; readonly signal: AbortSignal }
): Promise<boolean> => {
  if ((await get(path, signal)) !== null) return false
  try {
    await putBody(path, body, signal, { IfNoneMatch: "*", Metadata: { [claimKey]: claim } })
  } catch (cause) {
    // If a response does not arrive, the SDK retries and conflicts with the object it created itself.
    if (isTaken(cause)) return (await get(path, signal))?.Metadata?.[claimKey] === claim
    if (!isNotImplemented(cause)) throw cause
    await putBody(path, body, signal)
  }
  return true
}

const createText = (opened: OpenBucket, path: string, text: string) =>
  Effect.flatMap(randomUuid, (claim) =>
    step(`Write ${opened.urlOf(path)}`, (signal) =>
      createObject(opened, path, { body: Buffer.from(text), claim, signal })
    )
  )

/**
 * A prefix of a bucket as a destination, through the S3 API. Objects are written atomically, so none is staged there.
 * Objects are read by name; the bucket is listed only to recover a missing state and to find strays.
 */
export const bucketDestination = Effect.fnUntraced(function* (address: string) {
  const disk = yield* Disk
  const opened = yield* openBucket(address)
  const { get, keyOf, prefix, putBody, putFile, urlOf } = opened
  return {
    address,
    root: urlOf("").replace(/\/$/, ""),
    urlOf,
    stage: Effect.mapError(privateFolder, (error) => {
      const next = "Free space for temporary files, then export again"
      return new DestinationFailed({ step: "Create a temporary folder", reason: error.message, next })
    }),
    put: (path, staged) => step(`Write ${urlOf(path)}`, (signal) => putFile(path, staged, signal)),
    write: (path, text) =>
      Effect.asVoid(step(`Write ${urlOf(path)}`, (signal) => putBody(path, Buffer.from(text), signal))),
    create: (path, text) => createText(opened, path, text),
    remove: (path) => Effect.asVoid(step(`Remove ${urlOf(path)}`, (signal) => opened.remove(path, signal))),
    read: (path) =>
      readStep(`Read ${urlOf(path)}`, async (signal) => {
        const answer = await get(path, signal)
        return answer === null ? null : ((await answer.Body?.transformToString()) ?? "")
      }),
    folders: (path) =>
      step(`List ${urlOf(path)}`, async (signal) => {
        const start = keyOf(`${path}/`)
        const { folders } = await opened.list(start, signal, { Delimiter: "/" })
        return folders.map((folder) => folder.slice(start.length).replace(/\/$/, ""))
      }),
    list: (path) =>
      step(`List ${urlOf(path)}`, async (signal) => {
        const below = prefix === "" ? "" : `${prefix}/`
        const { objects } = await opened.list(path === "" ? below : keyOf(`${path}/`), signal)
        return objects.map(({ Key = "" }) => Key.slice(below.length)).filter((one) => one !== "")
      }),
    fetch: (path, stage) =>
      readStep(`Read ${urlOf(path)}`, async (signal) => {
        const answer = await get(path, signal)
        if (answer === null) return null
        const file = join(stage, "fetched.parquet")
        // In Node, the body of a response is a stream.
        await pipeline(answer.Body as Readable, disk.writeStream(file))
        return file
      })
  } satisfies Destination
})
