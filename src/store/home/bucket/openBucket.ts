import { createHash } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import type { PutObjectCommandInput } from "@aws-sdk/client-s3"
import { Clock, Effect } from "effect"
import { monotonicMillis } from "../../../feed/disk/monotonicMillis.ts"
import { Disk, lookAt } from "../../../feed/disk/Disk.ts"
import { isConflict, isNotThere } from "./bucketFault.ts"
import { BucketSettings } from "./BucketSettings.ts"
import { isPathBelow, PathOutside } from "../../../feed/guard/joinBelow.ts"

/** The minimum size of multipart uploads. */
const partBytes = 64 * 1024 * 1024

/** Returns null for a missing object. */
const found = async <A>(run: Promise<A>): Promise<A | null> => {
  try {
    return await run
  } catch (cause) {
    if (isNotThere(cause)) return null
    throw cause
  }
}

/** The maximum number of retries of a conflicting write. */
const conflictTries = 5

/** Writes, and retries while the store reports a concurrent write of the same object. */
const settled = async <A>(write: () => Promise<A>): Promise<A> => {
  for (let tries = 1; ; tries++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each try follows the answer to the one before
      return await write()
    } catch (cause) {
      if (!isConflict(cause) || tries === conflictTries) throw cause
      // oxlint-disable-next-line no-await-in-loop -- the other write needs time to end
      await setTimeout(50 * 2 ** tries)
    }
  }
}

/** Opens a prefix of a bucket by the S3 API, as promises of the AWS SDK. Writes of an object are atomic. */
export const openBucket = Effect.fnUntraced(function* (address: string) {
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]+)\/*(.*?)\/*$/.exec(address) ?? []
  // The SDK is loaded here, because commands on a home in a folder do not need it.
  const sdk = yield* Effect.promise(() => import("@aws-sdk/client-s3"))
  const disk = yield* Disk
  const { encryption, pathStyle } = yield* BucketSettings
  const client = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new sdk.S3Client({
          forcePathStyle: pathStyle,
          maxAttempts: 5,
          // Some stores do not support newer checksums; all of them check MD5.
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
          // A transfer may take any time, as long as it makes progress.
          requestHandler: { connectionTimeout: 10_000, socketTimeout: 30_000 }
        })
    ),
    (client) => Effect.sync(() => client.destroy())
  )
  // The SDK's resolved address is only visible in a request.
  const answers = { by: "The store" }
  client.middlewareStack.add(
    (next) => (sent) => {
      const { hostname, port } = sent.request as { readonly hostname?: string; readonly port?: number }
      answers.by = `The store at ${hostname}${port === undefined ? "" : `:${port}`}`
      return next(sent)
    },
    { step: "finalizeRequest", name: "cardlakeAddress" }
  )
  const clock = makeStoreClock()
  const machineClock = yield* Clock.Clock
  client.middlewareStack.add(
    (next) => async (sent) => {
      const sentMillis = monotonicMillis(machineClock)
      const answered = await next(sent)
      const { headers } = answered.response as { readonly headers?: Record<string, string> }
      clock.hear(headers?.["date"], sentMillis, monotonicMillis(machineClock))
      return answered
    },
    { step: "deserialize", priority: "low", name: "cardlakeTime" }
  )
  const keyOf = (path: string) => (prefix === "" ? path : `${prefix}/${path}`)
  const urlOf = (path: string) => `s3://${bucket}/${keyOf(path)}`
  /** Validates an object's path, because `..` would leave the prefix. */
  const objectKey = (path: string) => {
    if (!isPathBelow(path)) throw new PathOutside({ root: urlOf(""), name: path })
    return keyOf(path)
  }
  const objectOf = (path: string) => ({ Bucket: bucket, Key: objectKey(path), ...encryption })
  const putBody = (
    path: string,
    body: Buffer,
    abortSignal: AbortSignal,
    more: Pick<PutObjectCommandInput, "IfMatch" | "IfNoneMatch" | "Metadata"> = {}
  ) =>
    settled(() =>
      client.send(
        new sdk.PutObjectCommand({
          ...objectOf(path),
          ...more,
          Body: body,
          ContentMD5: createHash("md5").update(body).digest("base64")
        }),
        { abortSignal }
      )
    )
  const putFile = async (
    path: string,
    file: string,
    signal: AbortSignal,
    more: Pick<PutObjectCommandInput, "IfNoneMatch"> = {}
  ): Promise<void> => {
    if (lookAt(disk, file).sizeBytes <= partBytes) {
      await putBody(path, await disk.read(file), signal, more)
      return
    }
    const params = { ...objectOf(path), ...more, Body: disk.readStream(file) }
    const { Upload } = await import("@aws-sdk/lib-storage")
    const upload = new Upload({ client, params, partSize: partBytes, queueSize: 2, leavePartsOnError: false })
    signal.addEventListener("abort", () => void upload.abort())
    await upload.done()
  }
  const get = async (path: string, abortSignal: AbortSignal) =>
    await found(client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: objectKey(path) }), { abortSignal }))
  return { sdk, bucket, prefix, client, answers, clock, keyOf, objectKey, urlOf, putBody, putFile, get }
})

/** A range that contains the store's time, in milliseconds. */
export interface StoreTime {
  readonly earliest: number
  readonly latest: number
}

/** The precision of an answer's `Date`. */
const cutMillis = 1000

/** The maximum age of an answer for the clock, because clocks drift, and a sleeping machine misses time. */
const keptMillis = 60_000

/**
 * Estimates the store's time independently of this machine's clock. An answer's `Date` is between request and answer,
 * which the monotonic clock has timed. If answers contradict each other, the range includes both.
 */
export const makeStoreClock = () => {
  let heard: Array<{ readonly gotMillis: number; readonly low: number; readonly high: number }> = []
  return {
    hear: (date: string | undefined, sentMillis: number, gotMillis: number) => {
      const millis = Date.parse(date ?? "")
      if (Number.isNaN(millis)) return
      heard = [
        ...heard.filter((one) => one.gotMillis > gotMillis - keptMillis),
        { gotMillis, low: millis - gotMillis, high: millis + cutMillis - sentMillis }
      ]
    },
    /** Null if there is no answer yet. */
    at: (millis: number): StoreTime | null => {
      if (heard.length === 0) return null
      const lows = heard.map(({ low }) => low)
      const highs = heard.map(({ high }) => high)
      const low = Math.max(...lows)
      const high = Math.min(...highs)
      return low <= high
        ? { earliest: millis + low, latest: millis + high }
        : { earliest: millis + Math.min(...lows), latest: millis + Math.max(...highs) }
    }
  }
}
