import { createHash } from "node:crypto"
import type * as Sdk from "@aws-sdk/client-s3"
import { Clock, Effect, Config, Context, Layer, Schema } from "effect"
import { monotonicMillis } from "../../../feed/disk/monotonicMillis.ts"
import { Disk, lookAt } from "../../../feed/disk/Disk.ts"
import { isNotThere } from "./BucketFailed.ts"
import { isPathBelow, PathOutside } from "../../../feed/guard/joinBelow.ts"
import { SettingInvalid } from "../../../feed/contract/SettingInvalid.ts"

const setting = <A>(name: string, config: Config.Config<A>, what: string) =>
  Effect.mapError(config, () => new SettingInvalid({ name, what }))

const names = { encryption: "CARDLAKE_S3_ENCRYPTION", pathStyle: "CARDLAKE_S3_PATH_STYLE" }

export const pathStyleSetting = setting(
  names.pathStyle,
  Config.Boolean(names.pathStyle).pipe(Config.withDefault(false)),
  "is neither true nor false"
)

export const encryptionSetting = setting(
  names.encryption,
  Config.schema(Schema.String.check(Schema.isPattern(/^(AES256|aws:kms(:.+)?)?$/)), names.encryption).pipe(
    Config.withDefault("")
  ),
  "is not AES256, aws:kms or aws:kms:KEY"
)

const parseEncryption = (text: string): BucketSettings["Service"]["encryption"] => {
  if (text === "") return {}
  if (text === "AES256") return { ServerSideEncryption: "AES256" }
  const key = text.slice("aws:kms:".length)
  return { ServerSideEncryption: "aws:kms", ...(key === "" ? {} : { SSEKMSKeyId: key }) }
}

/**
 * Settings beyond those of the AWS SDK (`AWS_REGION`, `AWS_ENDPOINT_URL_S3`, keys, profiles, roles). Reads
 * `CARDLAKE_S3_PATH_STYLE` (for MinIO, Ceph and the like) and `CARDLAKE_S3_ENCRYPTION` (`AES256`, `aws:kms` or
 * `aws:kms:KEY`).
 */
export class BucketSettings extends Context.Service<
  BucketSettings,
  {
    readonly pathStyle: boolean
    /** The encryption of every object; empty for the bucket's default. */
    readonly encryption: { readonly ServerSideEncryption?: "AES256" | "aws:kms"; readonly SSEKMSKeyId?: string }
  }
>()("cardlake/home/BucketSettings") {
  static readonly layer = Layer.effect(
    BucketSettings,
    Effect.map(Effect.all([pathStyleSetting, encryptionSetting]), ([pathStyle, text]) =>
      BucketSettings.of({ pathStyle, encryption: parseEncryption(text) })
    )
  )
}

/** The minimum size of multipart uploads. */
const partBytes = 64 * 1024 * 1024

/** Returns null for a missing object. */
export const unlessMissing = async <A>(run: Promise<A>): Promise<A | null> => {
  try {
    return await run
  } catch (cause) {
    if (isNotThere(cause)) return null
    throw cause
  }
}

/** Makes a client, with the settings of its environment. It notes the store's address and time. */
const connect = (Client: typeof Sdk.S3Client, forcePathStyle: boolean, machineClock: Clock.Clock) => {
  const client = new Client({
    forcePathStyle,
    maxAttempts: 5,
    // Some stores do not support newer checksums; all of them check MD5.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // A transfer may take any time, as long as it makes progress.
    requestHandler: { connectionTimeout: 10_000, socketTimeout: 30_000 }
  })
  // The SDK's resolved address is only visible in a request.
  const answers = { by: "The store" }
  const clock = makeStoreClock()
  client.middlewareStack.add(
    (next) => async (sent) => {
      const { hostname, port } = sent.request as { readonly hostname?: string; readonly port?: number }
      answers.by = `The store at ${hostname}${port === undefined ? "" : `:${port}`}`
      const sentMillis = monotonicMillis(machineClock)
      const answered = await next(sent)
      const { headers } = answered.response as { readonly headers?: Record<string, string> }
      clock.hear(headers?.["date"], sentMillis, monotonicMillis(machineClock))
      return answered
    },
    { step: "deserialize", priority: "low", name: "cardlakeAnswers" }
  )
  return { client, answers, clock }
}

/** A part of an object, which is at least one byte. */
export interface ObjectPart {
  readonly offset: number
  readonly sizeBytes: number
}

const rangeHeaders = (part: ObjectPart | undefined) =>
  part === undefined ? {} : { Range: `bytes=${part.offset}-${part.offset + part.sizeBytes - 1}` }

type Conditions = Pick<Sdk.PutObjectCommandInput, "IfMatch" | "IfNoneMatch" | "Metadata">

/** Lists the objects whose keys begin so, also outside the prefix. With a delimiter, a folder is one name. */
const makeList =
  (sdk: typeof Sdk, client: Sdk.S3Client, Bucket: string) =>
  async (
    Prefix: string,
    abortSignal: AbortSignal,
    { isFirst, ...more }: { Delimiter?: "/"; StartAfter?: string; readonly isFirst?: true } = {}
  ) => {
    const objects: Array<Sdk._Object> = []
    const folders: Array<string> = []
    const pages = sdk.paginateListObjectsV2({ client }, { Bucket, Prefix, ...more }, { abortSignal })
    for await (const { CommonPrefixes = [], Contents = [] } of pages) {
      objects.push(...Contents)
      folders.push(...CommonPrefixes.map((one) => one.Prefix ?? ""))
      if (isFirst === true) break
    }
    return { objects, folders }
  }

/** Opens a prefix of a bucket by the S3 API, as promises of the AWS SDK. Writes of an object are atomic. */
export const openBucket = Effect.fnUntraced(function* (address: string) {
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]+)\/*(.*?)\/*$/.exec(address) ?? []
  // The SDK is loaded here, because commands on a home in a folder do not need it.
  const sdk = yield* Effect.promise(() => import("@aws-sdk/client-s3"))
  const disk = yield* Disk
  const { encryption, pathStyle } = yield* BucketSettings
  const machineClock = yield* Clock.Clock
  const { answers, client, clock } = yield* Effect.acquireRelease(
    Effect.sync(() => connect(sdk.S3Client, pathStyle, machineClock)),
    (connected) => Effect.sync(() => connected.client.destroy())
  )
  const keyOf = (path: string) => (prefix === "" ? path : `${prefix}/${path}`)
  const urlOf = (path: string) => `s3://${bucket}/${keyOf(path)}`
  /** Validates an object's path, because `..` would leave the prefix. */
  const safeObject = (path: string) => {
    if (!isPathBelow(path)) throw new PathOutside({ root: urlOf(""), name: path })
    return { Bucket: bucket, Key: keyOf(path) }
  }
  const putBody = (path: string, body: Buffer, abortSignal: AbortSignal, conditions: Conditions = {}) => {
    const ContentMD5 = createHash("md5").update(body).digest("base64")
    const put = { ...safeObject(path), ...encryption, ...conditions, Body: body, ContentMD5 }
    return client.send(new sdk.PutObjectCommand(put), { abortSignal })
  }
  const putFile = async (path: string, file: string, signal: AbortSignal, conditions: Conditions = {}) => {
    if (lookAt(disk, file).sizeBytes <= partBytes) {
      await putBody(path, await disk.read(file), signal, conditions)
      return
    }
    const params = { ...safeObject(path), ...encryption, ...conditions, Body: disk.readStream(file) }
    const { Upload } = await import("@aws-sdk/lib-storage")
    const upload = new Upload({ client, params, partSize: partBytes, queueSize: 2, leavePartsOnError: false })
    signal.addEventListener("abort", () => void upload.abort())
    await upload.done()
  }
  const get = (path: string, abortSignal: AbortSignal, part?: ObjectPart) =>
    unlessMissing(
      client.send(new sdk.GetObjectCommand({ ...safeObject(path), ...rangeHeaders(part) }), { abortSignal })
    )
  const look = (path: string, abortSignal: AbortSignal) =>
    client.send(new sdk.HeadObjectCommand(safeObject(path)), { abortSignal })
  const remove = (path: string, abortSignal: AbortSignal) =>
    client.send(new sdk.DeleteObjectCommand(safeObject(path)), { abortSignal })

  const list = makeList(sdk, client, bucket)
  return { bucket, prefix, answers, clock, keyOf, urlOf, putBody, putFile, get, look, remove, list }
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
