import { isUtf8 } from "node:buffer"
import { gunzip } from "node:zlib"
import { Effect, Result } from "effect"

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

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Unzipped size as gzip's last four bytes state it, within reason: one buffer of the right size is a quarter faster. */
const statedSize = (bytes: Uint8Array): number => {
  const stated = new DataView(bytes.buffer, bytes.byteOffset).getUint32(Math.max(0, bytes.length - 4), true)
  return Math.min(Math.max(stated + 1, 1024), 1024 * 1024)
}

/** On another thread: the main one has the parsing to do. */
const unzipped = (bytes: Uint8Array) =>
  Effect.callback<Buffer, string>((resume) => {
    gunzip(bytes, { maxOutputLength: largestBodyBytes, chunkSize: statedSize(bytes) }, (cause, plain) => {
      if (cause === null) return resume(Effect.succeed(plain))
      const code = "code" in cause ? String(cause.code) : "unknown"
      resume(Effect.fail(code === "Z_BUF_ERROR" ? "truncated gzip" : `invalid gzip, ${code}`))
    })
  })

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
  if (plain.length > largestBodyBytes) return yield* Effect.fail("a body of more than 64 MB")
  if (!isUtf8(plain)) return yield* Effect.fail("text that is not UTF-8")
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
