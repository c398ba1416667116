import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import { createGzip } from "node:zlib"

/** A finished feed file. */
export interface PackedLines {
  /** Gzip of NDJSON. */
  readonly bytes: Uint8Array
  /** SHA-256 of the unpacked bytes. */
  readonly checksum: string
  readonly recordCount: number
}

const pieceLength = 256 * 1024

/** Packs lines a piece at a time, so that only the packed file is in memory and other requests go on. */
export const packLines = async (lines: Iterable<string>): Promise<PackedLines> => {
  const sum = createHash("sha256")
  let recordCount = 0
  const take = (text: string) => {
    const piece = Buffer.from(text)
    sum.update(piece)
    return piece
  }
  function* pieces() {
    let text = ""
    for (const line of lines) {
      text += `${line}\n`
      recordCount++
      if (text.length < pieceLength) continue
      yield take(text)
      text = ""
    }
    yield take(text)
  }
  const chunks: Array<Uint8Array> = []
  for await (const chunk of Readable.from(pieces()).pipe(createGzip())) chunks.push(chunk)
  return { bytes: Buffer.concat(chunks), checksum: sum.digest("hex"), recordCount }
}
