import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { usualBodyBytes } from "../../client/RawBody.ts"
import { maxRecords, pageLimits } from "../../contract/Paging.ts"
import { unpackPieces } from "../../guard/unpack.ts"
import { collectYoung } from "../../client/collectGarbage.ts"
import { makePageMemory, type PageBytes } from "./pageMemory.ts"

/** A line that is too long to be a record. Its page has `null` in its place. */
export interface LongLine {
  /** Its position in the page. */
  readonly index: number
  /** How it begins. */
  readonly head: string
}

/** Some lines of a feed file as the JSON of a page: their text is what came, with commas for their ends. */
export interface LinePage extends PageBytes {
  readonly lines: number
  /** Lines before it. */
  readonly first: number
  readonly long: ReadonlyArray<LongLine>
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

/** The longest line: so many bytes of a single record are no game's. More than any piece of a file. */
export const maxLineBytes = usualBodyBytes

const newline = 0x0a
const comma = 0x2c
const stub = Buffer.from("null,")
const headBytes = 1000

/** Unpacked bytes after which their buffers are collected. */
const collectedBytes = 16 * 1024 * 1024

/** Enough for a page; one with longer lines has fewer. */
const pageBytes = 512 * 1024

const isBlank = (bytes: Uint8Array, from: number, end: number): boolean => {
  for (let at = from; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09 && bytes[at] !== 0x0d) return false
  return true
}

/** Cuts the pieces of a file into pages of 200 lines. Blank lines stay as blanks, and count as bytes of their page. */
const makeLineCutter = () => {
  const memory = makePageMemory()
  let lines = 0
  let first = 0
  let long: Array<LongLine> = []
  let ends = 0
  /** Of a line whose end is not there yet: its bytes, and where in memory they are. */
  let begun = 0
  let begunAt = 0
  let isBegunBlank = true
  /** How the begun line begins, once it is too long; its bytes are no longer kept. */
  let longHead: string | null = null

  const page = (): LinePage => {
    const done = { ...memory.take(), lines, first, long }
    first += lines
    lines = 0
    long = []
    return done
  }
  /** Drops what is kept of a line that got too long. */
  const dropBegun = () => {
    longHead ??= memory.cutAt(begunAt, headBytes).toString("utf8")
  }
  const putStub = () => {
    long.push({ index: lines, head: longHead ?? "" })
    memory.put(stub, stub.length - 1)
  }
  const endLine = () => {
    begun = 0
    isBegunBlank = true
    longHead = null
  }

  /** The pages that a piece completes. */
  function* take(bytes: Buffer): Generator<LinePage> {
    let put = 0
    let from = 0
    let lastComma = -1
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
      if (++ends > maxRecords) throw new Error("it has more than 20 million lines")
      const isLine = !isBegunBlank || !isBlank(bytes, from, end)
      // Only a begun line can be too long: no piece is.
      if (begun + end - from > maxLineBytes) {
        dropBegun()
        if (isLine) putStub()
        put = end + 1
      } else if (isLine) {
        bytes[end] = comma
        lastComma = end
      }
      from = end + 1
      endLine()
      if (isLine) lines += 1
      if (lines < pageLimits.offset.max && memory.size() + from - put <= pageBytes) continue
      memory.put(bytes.subarray(put, from), lastComma - put)
      put = from
      if (lines > 0) yield page()
      else memory.clear()
    }
    memory.put(bytes.subarray(put, from), lastComma - put)
    if (lines === 0 && begun === 0) memory.clear()
    if (from === bytes.length) return
    if (begun === 0) begunAt = memory.size()
    begun += bytes.length - from
    isBegunBlank &&= isBlank(bytes, from, bytes.length)
    if (begun > maxLineBytes) dropBegun()
    else memory.put(bytes.subarray(from))
  }

  /** The last page: its last line may lack its end. */
  function* end(): Generator<LinePage> {
    if (!isBegunBlank) {
      if (longHead === null) memory.keepsComma()
      else putStub()
      lines += 1
    }
    if (lines > 0) yield page()
  }
  return { take, end }
}

/**
 * Unpacks a feed file, hashes it and cuts it into pages of 200 lines, a page at a time. `maxBytes`: of the unpacked
 * file. `onEnd` hears what the file was. Throws if it is larger or cannot be unpacked.
 */
export async function* linePages(
  file: string,
  maxBytes: number,
  onEnd: (unpacked: UnpackedFile) => void
): AsyncGenerator<LinePage> {
  const sum = createHash("sha256")
  const cutter = makeLineCutter()
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  let isPacked = false
  let sizeBytes = 0
  for await (const bytes of unpackPieces(source, maxBytes, (begins) => void (isPacked = begins))) {
    sum.update(bytes)
    if (Math.floor(sizeBytes / collectedBytes) < Math.floor((sizeBytes + bytes.length) / collectedBytes)) collectYoung()
    sizeBytes += bytes.length
    yield* cutter.take(bytes)
  }
  yield* cutter.end()
  onEnd({ checksum: sum.digest("hex"), sizeBytes, isPacked })
}
