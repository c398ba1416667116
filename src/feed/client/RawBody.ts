import { isUtf8 } from "node:buffer"
import { Effect, Result, Semaphore } from "effect"
import { isGzip, TooLarge, unpackBytes } from "../guard/unpack.ts"
import { CallContext } from "./CallContext.ts"
import { collectGarbage } from "./collectGarbage.ts"

/** A response body byte for byte, with its decoded forms made once. */
export interface RawBody {
  /** Method, path, query and body of the request; never the key. */
  readonly request: string
  readonly requestId: string | null
  /** The body as received, unchanged. */
  readonly bytes: Uint8Array
  /** True if {@link bytes} are gzip. */
  readonly gzip: boolean
  /** The uncompressed bytes, UTF-8. */
  readonly plain: Buffer
  /** The uncompressed text, a byte order mark included. */
  readonly text: string
  /** The file that it was read from; absent if it was requested now. */
  readonly file?: string
}

export interface Answer extends Pick<RawBody, "request" | "requestId" | "bytes" | "file"> {
  /** The answer's `content-encoding`. */
  readonly encoding: string | undefined
}

/** A page, opened completely or in part. */
export interface OpenedPage<Pagination> extends Pick<RawBody, "request" | "requestId"> {
  /** The size of the body as received. */
  readonly sentBytes: number
  /** The number of its records. */
  readonly received: number
  readonly pagination: Pagination
}

/** One page of a list: its body, the records of `data` and its pagination. */
export interface Page<Pagination> extends RawBody, OpenedPage<Pagination> {
  readonly data: ReadonlyArray<unknown>
}

/** The maximum size of a page, 200 records of 150 KB each. It stops compression bombs; memory holds several forms of a page. */
export const maxBodyBytes = 32 * 1024 * 1024

/** A larger page needs a lock, since memory holds sixteen pages. It is four times the largest page of any game. */
export const usualBodyBytes = 1024 * 1024

/** A changelog page that names 800,000 products has 2.4 million values. A night that reads such a page stays below 512 MB. */
const maxValues = 2_400_000

export const tooLarge = `a body of more than ${maxBodyBytes / 1024 / 1024} MB`

/** Counts the values of an unparsed JSON text, one too few for each list and object that is not empty. */
const countValues = (plain: Uint8Array): number => {
  let values = 0
  let isText = false
  for (let at = 0; at < plain.length; at++) {
    const byte = plain[at]
    if (isText) {
      if (byte === 0x5c) at += 1
      else if (byte === 0x22) isText = false
    } else if (byte === 0x22) isText = true
    else if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1
  }
  return values
}

/** A body that is unzipped and decoded. */
export type UnpackedBody = Pick<RawBody, "gzip" | "plain" | "text">

const unzip = (bytes: Uint8Array, most: number): Result.Result<Buffer | null, string> => {
  try {
    return Result.succeed(unpackBytes(bytes, most))
  } catch (cause) {
    if (cause instanceof TooLarge) return Result.succeed(null)
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
    return Result.fail(code === "Z_BUF_ERROR" ? "truncated gzip" : `invalid gzip, ${code}`)
  }
}

/**
 * Unzips and decodes a body, whose first two bytes show whether it is gzip. Fails with a text. Null if it is larger
 * than allowed: the caller retries once it holds the lock. Beyond the spec: section 8.
 */
export const unpack = (
  bytes: Uint8Array,
  encoding: string | undefined,
  mayBeLarge: boolean
): Result.Result<UnpackedBody | null, string> => {
  if (bytes.length === 0) return Result.fail("an empty body")
  const gzip = isGzip(bytes)
  if (!gzip && encoding !== undefined && encoding !== "identity" && encoding !== "") {
    return Result.fail(encoding === "gzip" ? "invalid gzip" : `the encoding ${encoding}, which was not requested`)
  }
  const most = mayBeLarge ? maxBodyBytes : usualBodyBytes
  const unzipped = gzip
    ? unzip(bytes, most)
    : Result.succeed(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (Result.isFailure(unzipped)) return Result.fail(unzipped.failure)
  const plain = unzipped.success
  if (plain === null || plain.length > most) return mayBeLarge ? Result.fail(tooLarge) : Result.succeed(null)
  if (plain.length === 0) return Result.fail("an empty body")
  if (!isUtf8(plain)) return Result.fail("text that is not UTF-8")
  if (plain.length > usualBodyBytes && countValues(plain) > maxValues) {
    return Result.fail("more than 2.4 million values on one page")
  }
  return Result.succeed({ gzip, plain, text: plain.toString("utf8") })
}

/** Calls {@link unpack}, after waiting for the lock of large pages. */
export const unpackBody = Effect.fnUntraced(function* (
  bytes: Uint8Array,
  encoding: string | undefined
): Effect.fn.Return<UnpackedBody, string> {
  const usual = yield* Effect.fromResult(unpack(bytes, encoding, false))
  if (usual !== null) return usual
  yield* takeLargePageLock
  return (yield* Effect.fromResult(unpack(bytes, encoding, true))) ?? (yield* Effect.fail(tooLarge))
})

/** Parses the JSON of a body's text; fails with a text if it is invalid. A leading byte order mark is skipped. */
export const parseBody = (text: string): Result.Result<unknown, string> => {
  try {
    const json: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    return Result.succeed(json)
  } catch {
    return Result.fail(text.trim() === "" ? "an empty body" : "invalid or truncated JSON")
  }
}

/** Locks the memory for large pages. Outside {@link withLargePageLock}, it has no effect. */
export const takeLargePageLock = Effect.flatMap(CallContext, ({ takeMemory }) => takeMemory)
export const leaveLargePageLock = Effect.flatMap(CallContext, ({ leaveMemory }) => leaveMemory)

/** One lock for the process, because all pages share its memory. */
const lock = Semaphore.makeUnsafe(1)

/**
 * Requests a page and uses it. A large page holds the lock from before it is unzipped until `page` ends. Meanwhile it
 * must not request another page, because every request in flight may be waiting for the lock.
 */
export const withLargePageLock = <A, E, R>(page: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let taken = false
    const takeMemory = Effect.uninterruptibleMask((restore) =>
      taken ? Effect.void : Effect.map(restore(lock.take(1)), () => void (taken = true))
    )
    const leaveMemory = Effect.suspend(() => {
      if (!taken) return Effect.void
      taken = false
      // The memory of this page must be free before the next large page is opened.
      collectGarbage()
      return Effect.asVoid(lock.release(1))
    })
    return page.pipe(
      Effect.updateService(CallContext, (call) => ({ ...call, takeMemory, leaveMemory })),
      Effect.ensuring(leaveMemory)
    )
  })
