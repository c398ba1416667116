import { Readable } from "node:stream"
import { promisify } from "node:util"
import { createGunzip, gunzip, gunzipSync, inflateRawSync } from "node:zlib"
import { Data } from "effect"

/** The content exceeds a reader's limit: a decompression bomb, or an endless stream. */
export class TooLarge extends Data.TaggedError("TooLarge")<{ readonly maxBytes: number }> {
  override get message() {
    return `it has more than ${this.maxBytes} bytes unpacked`
  }
}

/** True if the bytes begin with gzip's signature. Beyond the spec: section 8. */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Returns the uncompressed size from gzip's last four bytes, capped; a buffer of the right size is a quarter faster. */
const statedSize = (bytes: Uint8Array): number => {
  const stated = new DataView(bytes.buffer, bytes.byteOffset).getUint32(Math.max(0, bytes.length - 4), true)
  return Math.min(Math.max(stated + 1, 1024), 1024 * 1024)
}

const tooLarge = (maxBytes: number) => (cause: unknown) =>
  cause instanceof RangeError ? new TooLarge({ maxBytes }) : cause

/** Decompresses bytes in memory. Throws {@link TooLarge} at the first byte above the limit, or zlib's error. */
export const unpackBytes = (bytes: Uint8Array, maxBytes: number): Buffer => {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes, chunkSize: statedSize(bytes) })
  } catch (cause) {
    throw tooLarge(maxBytes)(cause)
  }
}

/** Returns the first file of a zip archive, or the bytes themselves if they are none. Fails as {@link unpackBytes}. */
export const unpackZip = (bytes: Buffer, maxBytes: number): Buffer => {
  if (bytes.length < 30 || bytes.readUInt32LE(0) !== 0x04034b50) return bytes
  const packed = bytes.subarray(30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28))
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes })
  } catch (cause) {
    throw tooLarge(maxBytes)(cause)
  }
}

const unzip = promisify(gunzip)

/** {@link unpackBytes} on another thread. */
export const unpackLater = async (bytes: Uint8Array, maxBytes: number): Promise<Buffer> => {
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes })
  } catch (cause) {
    throw tooLarge(maxBytes)(cause)
  }
}

const pieceBytes = 256 * 1024

async function* joined(first: ReadonlyArray<Uint8Array>, rest: AsyncIterable<Uint8Array>) {
  yield* first
  yield* rest
}

/**
 * Yields a stream's content, decompressed in chunks of up to 256 KB if it is gzip, which `onBegin` reports.
 * Throws {@link TooLarge} at the first byte above the limit. A reader that stops early closes the stream.
 */
export async function* unpackPieces(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onBegin: (isPacked: boolean) => void = () => {}
): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]()
  // The iterator has no `return`, so a second loop can continue where the first one stopped.
  const rest = { [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) }
  const first: Array<Uint8Array> = []
  let head: Buffer = Buffer.alloc(0)
  for await (const piece of rest) {
    first.push(piece)
    head = Buffer.concat([head, piece.subarray(0, 2)])
    if (head.length > 1) break
  }
  const isPacked = isGzip(head)
  onBegin(isPacked)
  const packed = Readable.from(joined(first, rest), { objectMode: false, highWaterMark: pieceBytes })
  const plain = isPacked ? packed.pipe(createGunzip({ chunkSize: pieceBytes })) : packed
  packed.on("error", (cause) => plain.destroy(cause))
  let bytes = 0
  try {
    for await (const piece of plain as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > maxBytes) throw new TooLarge({ maxBytes })
      yield piece
    }
  } finally {
    packed.destroy()
    plain.destroy()
    await pieces.return?.()
  }
}
