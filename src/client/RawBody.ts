import { isUtf8 } from "node:buffer"
import { gunzip } from "node:zlib"
import { Effect, Result } from "effect"
import { PageRoom } from "./PageRoom.ts"

/** A response body byte for byte, with its decoded forms made once. */
export interface RawBody {
  /** Method, path, query and body of the request; never the key. */
  readonly request: string
  readonly requestId: string | null
  /** As it came over the wire. */
  readonly bytes: Uint8Array
  /** Whether {@link bytes} are gzip. */
  readonly gzip: boolean
  /** The uncompressed bytes, UTF-8. */
  readonly plain: Buffer
  /** The uncompressed text, a byte order mark included. */
  readonly text: string
  /** The file that it comes from, where it was not asked for but kept from before. */
  readonly file?: string
}

/** One page of a list: its body, the records of `data` and its pagination. */
export interface Page<Pagination> extends RawBody {
  readonly data: ReadonlyArray<unknown>
  readonly pagination: Pagination
}

/** Above this a page is no page: 200 records of 300 KB, or a compression bomb. */
export const largestBodyBytes = 64 * 1024 * 1024

/** Above this a page has the room to itself: sixteen are in memory at once. Four times the largest page of any game. */
const usualBodyBytes = 1024 * 1024

/** A changelog page that names a million products has three million values. Parsed, these take 400 MB at most. */
const mostValues = 4_000_000

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Unzipped size as gzip's last four bytes state it, within reason: a buffer of the right size is a quarter faster. */
const statedSize = (bytes: Uint8Array): number => {
  const stated = new DataView(bytes.buffer, bytes.byteOffset).getUint32(Math.max(0, bytes.length - 4), true)
  return Math.min(Math.max(stated + 1, 1024), 1024 * 1024)
}

/** On another thread: the main one has the parsing to do. Null when there is more than `mostBytes`. */
const unzipUpTo = (bytes: Uint8Array, mostBytes: number) =>
  Effect.callback<Buffer | null, string>((resume) => {
    gunzip(bytes, { maxOutputLength: mostBytes, chunkSize: statedSize(bytes) }, (cause, plain) => {
      if (cause === null) return resume(Effect.succeed(plain))
      const code = "code" in cause ? String(cause.code) : "unknown"
      if (code === "ERR_BUFFER_TOO_LARGE") return resume(Effect.succeed(null))
      resume(Effect.fail(code === "Z_BUF_ERROR" ? "truncated gzip" : `invalid gzip, ${code}`))
    })
  })

const unzipped = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const usual = yield* unzipUpTo(bytes, usualBodyBytes)
  if (usual !== null) return usual
  yield* (yield* PageRoom).take
  return (yield* unzipUpTo(bytes, largestBodyBytes)) ?? (yield* Effect.fail(tooLarge))
})

const tooLarge = "a body of more than 64 MB"

/** Values of a JSON text that is not parsed yet, one too few in each list and object that is not empty. */
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

/**
 * Unzips and decodes a body. Fails with what is wrong with it, in words: unknown encoding, invalid gzip, not UTF-8.
 * The first two bytes decide, not only the header: some transfers are unpacked on the way. Beyond the spec: section 8.
 */
export const unpackBody = Effect.fnUntraced(function* (
  bytes: Uint8Array,
  encoding: string | undefined
): Effect.fn.Return<{ readonly gzip: boolean; readonly plain: Buffer; readonly text: string }, string> {
  if (bytes.length === 0) return yield* Effect.fail("an empty body")
  const gzip = isGzip(bytes)
  if (!gzip && encoding !== undefined && encoding !== "identity" && encoding !== "") {
    return yield* Effect.fail(
      encoding === "gzip" ? "invalid gzip" : `the encoding ${encoding}, which was not asked for`
    )
  }
  const plain = gzip ? yield* unzipped(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (plain.length === 0) return yield* Effect.fail("an empty body")
  if (plain.length > largestBodyBytes) return yield* Effect.fail(tooLarge)
  if (!isUtf8(plain)) return yield* Effect.fail("text that is not UTF-8")
  if (plain.length > usualBodyBytes) {
    yield* (yield* PageRoom).take
    if (countValues(plain) > mostValues) return yield* Effect.fail("more than 4 million values on one page")
  }
  return { gzip, plain, text: plain.toString("utf8") }
})

/** The JSON of a body's text; fails in words when it is none. A leading byte order mark is passed over. */
export const parseBody = (text: string): Result.Result<unknown, string> => {
  try {
    const json: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    return Result.succeed(json)
  } catch {
    return Result.fail(text.trim() === "" ? "an empty body" : "invalid or truncated JSON")
  }
}
