import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import type { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { largestBodyBytes } from "../../client/RawBody.ts"
import { pageLimits } from "../../contract/Paging.ts"
import { collectYoung } from "../../rows/collectGarbage.ts"
import { makePageMemory, type PageBytes } from "./pageMemory.ts"

/** Some lines of a feed file as the JSON of a page: their text is what came, with commas for their ends. */
export interface LinePage extends PageBytes {
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
const comma = 0x2c

/** Unpacked bytes after which their buffers are collected. */
const collectedBytes = 16 * 1024 * 1024

/** Enough for a page; one with longer lines has fewer. */
const pageBytes = 512 * 1024

const isBlank = (bytes: Uint8Array, from: number, end: number): boolean => {
  for (let at = from; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09 && bytes[at] !== 0x0d) return false
  return true
}

const isGzip = async (file: string): Promise<boolean> => {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await handle.close()
  }
}

/**
 * Unpacks a feed file, hashes it and cuts it into pages of 200 lines, a page at a time. Blank lines stay as blanks. The
 * last line may lack its end; none is longer than a page may be. `onEnd` hears what the file was; fails in words if it
 * cannot be unpacked.
 */
export async function* linePages(file: string, onEnd: (unpacked: UnpackedFile) => void): AsyncGenerator<LinePage> {
  const isPacked = await isGzip(file)
  const sum = createHash("sha256")
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  const plain: Readable = isPacked ? source.pipe(createGunzip({ chunkSize: 256 * 1024 })) : source
  source.on("error", (cause) => plain.destroy(cause))
  const memory = makePageMemory()
  let sizeBytes = 0
  let lines = 0
  let first = 0
  /** Of a line whose end is not there yet. */
  let begun = 0
  let isBegunBlank = true
  const page = (): LinePage => {
    const done = { ...memory.take(), lines, first }
    first += lines
    lines = 0
    return done
  }
  try {
    for await (const chunk of plain) {
      const bytes = chunk as Buffer
      sum.update(bytes)
      if (Math.floor(sizeBytes / collectedBytes) < Math.floor((sizeBytes + bytes.length) / collectedBytes))
        collectYoung()
      sizeBytes += bytes.length
      let put = 0
      let from = 0
      let lastComma = -1
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
        const isLine = !isBegunBlank || !isBlank(bytes, from, end)
        from = end + 1
        begun = 0
        isBegunBlank = true
        if (!isLine) continue
        bytes[end] = comma
        lastComma = end
        lines += 1
        if (lines < pageLimits.offset.max && memory.size() + from - put <= pageBytes) continue
        memory.put(bytes.subarray(put, from), end - put)
        put = from
        yield page()
      }
      memory.put(bytes.subarray(put, from), lastComma - put)
      if (lines === 0 && begun === 0) memory.clear()
      if (from === bytes.length) continue
      memory.put(bytes.subarray(from))
      isBegunBlank &&= isBlank(bytes, from, bytes.length)
      begun += bytes.length - from
      if (begun > largestBodyBytes) throw new Error("it has a line of more than 64 MB")
    }
    if (!isBegunBlank) {
      memory.keepsComma()
      lines += 1
    }
    if (lines > 0) yield page()
  } finally {
    source.destroy()
  }
  onEnd({ checksum: sum.digest("hex"), sizeBytes, isPacked })
}
