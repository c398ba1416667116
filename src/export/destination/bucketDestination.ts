import { createHash, randomUUID } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client
} from "@aws-sdk/client-s3"
import { Upload } from "@aws-sdk/lib-storage"
import { Effect } from "effect"
import { privateFolder } from "../../lake/duckdb/privateFolder.ts"
import { BucketSettings } from "./BucketSettings.ts"
import { bucketFault, isNotImplemented, isNotThere, isTaken } from "./bucketFault.ts"
import type { Destination } from "./Destination.ts"
import { DestinationFailed } from "./DestinationFailed.ts"

/** Larger files are uploaded in parts. */
const partBytes = 64 * 1024 * 1024

/** Metadata of an object that says which export created it. */
const claimKey = "cardlake-claim"

const step = <A>(what: string, run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, DestinationFailed> =>
  Effect.tryPromise({ try: run, catch: (cause) => bucketFault(what, cause) })

/** What is not there becomes null. */
const found = async <A>(run: Promise<A>): Promise<A | null> => {
  try {
    return await run
  } catch (cause) {
    if (isNotThere(cause)) return null
    throw cause
  }
}

/**
 * A prefix of a bucket as a destination, by the S3 API. An object is written whole or not at all, so nothing is staged
 * there. Objects are read by name; the bucket is listed only to find a lost state and what does not belong to the drop.
 */
export const bucketDestination = Effect.fnUntraced(function* (address: string) {
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]+)\/*(.*?)\/*$/.exec(address) ?? []
  const { encryption, pathStyle } = yield* BucketSettings
  const client = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new S3Client({
          forcePathStyle: pathStyle,
          maxAttempts: 5,
          // Other stores do not know newer checksums; all of them check MD5.
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
          // A file may take any time, as long as some of it keeps moving.
          requestHandler: { connectionTimeout: 10_000, socketTimeout: 30_000 }
        })
    ),
    (client) => Effect.sync(() => client.destroy())
  )
  const keyOf = (path: string) => (prefix === "" ? path : `${prefix}/${path}`)
  const urlOf = (path: string) => `s3://${bucket}/${keyOf(path)}`
  const objectOf = (path: string) => ({ Bucket: bucket, Key: keyOf(path), ...encryption })
  const putBody = (
    path: string,
    body: Buffer,
    abortSignal: AbortSignal,
    more: Pick<PutObjectCommandInput, "IfNoneMatch" | "Metadata"> = {}
  ) =>
    client.send(
      new PutObjectCommand({
        ...objectOf(path),
        ...more,
        Body: body,
        ContentMD5: createHash("md5").update(body).digest("base64")
      }),
      { abortSignal }
    )
  const putFile = async (path: string, file: string, signal: AbortSignal): Promise<void> => {
    if ((await stat(file)).size <= partBytes) {
      await putBody(path, await readFile(file), signal)
      return
    }
    const params = { ...objectOf(path), Body: createReadStream(file) }
    const upload = new Upload({ client, params, partSize: partBytes, queueSize: 2, leavePartsOnError: false })
    signal.addEventListener("abort", () => void upload.abort())
    await upload.done()
  }
  const get = (path: string, abortSignal: AbortSignal) =>
    found(client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(path) }), { abortSignal }))
  /** Stores without conditional writes would overwrite, so this looks first. */
  const createObject = async (path: string, body: Buffer, signal: AbortSignal): Promise<boolean> => {
    if ((await get(path, signal)) !== null) return false
    const claim = randomUUID()
    try {
      await putBody(path, body, signal, { IfNoneMatch: "*", Metadata: { [claimKey]: claim } })
    } catch (cause) {
      // The SDK retries if an answer is lost, and is then refused because of what it stored itself.
      if (isTaken(cause)) return (await get(path, signal))?.Metadata?.[claimKey] === claim
      if (!isNotImplemented(cause)) throw cause
      await putBody(path, body, signal)
    }
    return true
  }
  return {
    address,
    root: urlOf("").replace(/\/$/, ""),
    urlOf,
    stage: Effect.mapError(privateFolder, (error) => {
      const next = "Free space for temporary files, then export again"
      return new DestinationFailed({ step: "Make a temporary folder", reason: error.message, next })
    }),
    put: (path, staged) => step(`Write ${urlOf(path)}`, (signal) => putFile(path, staged, signal)),
    write: (path, text) =>
      Effect.asVoid(step(`Write ${urlOf(path)}`, (signal) => putBody(path, Buffer.from(text), signal))),
    create: (path, text) => step(`Write ${urlOf(path)}`, (signal) => createObject(path, Buffer.from(text), signal)),
    remove: (path) =>
      Effect.asVoid(
        step(`Remove ${urlOf(path)}`, (abortSignal) =>
          client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(path) }), { abortSignal })
        )
      ),
    read: (path) =>
      step(`Read ${urlOf(path)}`, async (signal) => {
        const answer = await get(path, signal)
        return answer === null ? null : ((await answer.Body?.transformToString()) ?? "")
      }),
    folders: (path) =>
      step(`List ${urlOf(path)}`, async (abortSignal) => {
        const Prefix = keyOf(`${path}/`)
        const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix, Delimiter: "/" }, { abortSignal })
        const names: Array<string> = []
        for await (const { CommonPrefixes = [] } of pages) {
          names.push(...CommonPrefixes.map((one) => (one.Prefix ?? "").slice(Prefix.length).replace(/\/$/, "")))
        }
        return names
      }),
    list: (path) =>
      step(`List ${urlOf(path)}`, async (abortSignal) => {
        const Prefix = path === "" ? (prefix === "" ? "" : `${prefix}/`) : keyOf(`${path}/`)
        const paths: Array<string> = []
        for await (const { Contents = [] } of paginateListObjectsV2(
          { client },
          { Bucket: bucket, Prefix },
          { abortSignal }
        )) {
          paths.push(...Contents.map(({ Key = "" }) => (prefix === "" ? Key : Key.slice(prefix.length + 1))))
        }
        return paths.filter((one) => one !== "")
      }),
    fetch: (path, stage) =>
      step(`Read ${urlOf(path)}`, async (signal) => {
        const answer = await get(path, signal)
        if (answer === null) return null
        const file = join(stage, "fetched.parquet")
        // In Node, the body of an answer is a stream.
        await pipeline(answer.Body as Readable, createWriteStream(file))
        return file
      })
  } satisfies Destination
})
