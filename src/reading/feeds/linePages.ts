import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import type { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { largestBodyBytes } from "../../client/RawBody.ts"
import { pageLimits } from "../../contract/Paging.ts"

/** Some lines of a feed file as the JSON of a page: their text is what came, with commas between. */
export interface LinePage {
  readonly json: Buffer
  readonly lines: number
  /** Lines before it. */
  readonly first: number
}

/** What a whole file was. */
export interface UnpackedFile {
  /** SHA-256 of the unpacked bytes, hex. */
  readonly checksum: string
  /** Of the unpacked bytes. */
  readonly sizeBytes: number
  /** Whether the file is packed: a transfer may have unpacked it. */
  readonly isPacked: boolean
}

const newline = 0x0a
const comma = Buffer.from(",")
const opening = Buffer.from('{"data":[')
const closing = Buffer.from("]}")

/** Enough for a page; one with longer lines has fewer. */
const pageBytes = 512 * 1024

const isBlank = (line: Buffer): boolean => line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)

const isGzip = async (file: string): Promise<boolean> => {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await handle.close()
  }
}

/** The lines of a stream; the last one may lack its end. None is longer than a page may be. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Array<Buffer> = []
  let restBytes = 0
  for await (const chunk of bytes) {
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      const line = chunk.subarray(from, end)
      yield restBytes === 0 ? line : Buffer.concat([...rest, line])
      rest = []
      restBytes = 0
      from = end + 1
    }
    if (from === chunk.length) continue
    rest.push(chunk.subarray(from))
    restBytes += chunk.length - from
    if (restBytes > largestBodyBytes) throw new Error("it has a line of more than 64 MB")
  }
  if (restBytes > 0) yield Buffer.concat(rest)
}

/**
 * Unpacks a feed file, hashes it and cuts it into pages of 200 lines, a page at a time. Blank lines are left out.
 * `onEnd` hears what the file was; fails in words if it cannot be unpacked.
 */
export async function* linePages(file: string, onEnd: (unpacked: UnpackedFile) => void): AsyncGenerator<LinePage> {
  const isPacked = await isGzip(file)
  const sum = createHash("sha256")
  let sizeBytes = 0
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  const plain: Readable = isPacked ? source.pipe(createGunzip({ chunkSize: 256 * 1024 })) : source
  source.on("error", (cause) => plain.destroy(cause))
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of plain) {
      const bytes = chunk as Buffer
      sum.update(bytes)
      sizeBytes += bytes.length
      yield bytes
    }
  }
  let parts: Array<Buffer> = []
  let bytes = 0
  let lines = 0
  let first = 0
  const page = (): LinePage => {
    const done = { json: Buffer.concat([opening, ...parts, closing]), lines, first }
    first += lines
    parts = []
    bytes = 0
    lines = 0
    return done
  }
  try {
    for await (const line of linesOf(hashed())) {
      if (isBlank(line)) continue
      if (lines > 0) parts.push(comma)
      parts.push(line)
      bytes += line.length
      lines += 1
      if (lines === pageLimits.offset.max || bytes > pageBytes) yield page()
    }
    if (lines > 0) yield page()
  } finally {
    source.destroy()
  }
  onEnd({ checksum: sum.digest("hex"), sizeBytes, isPacked })
}
