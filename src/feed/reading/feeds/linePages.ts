import { createHash } from "node:crypto"
import type { Readable } from "node:stream"
import { usualBodyBytes } from "../../client/RawBody.ts"
import { maxRecords, pageLimits } from "../../contract/Paging.ts"
import { unpackPieces } from "../../guard/unpack.ts"
import { collectYoung } from "../../client/collectGarbage.ts"
import { makePageMemory, type PageBytes } from "./pageMemory.ts"

/** A line that exceeds the maximum length of a record. The page has `null` in place of such a line. */
export interface LongLine {
  /** The position in the page. */
  readonly index: number
  /** The beginning of the line. */
  readonly head: string
}

/** Lines of a feed file as the JSON of a page: the unchanged lines, separated by commas. */
export interface LinePage extends PageBytes {
  readonly lines: number
  /** The number of lines before it. */
  readonly first: number
  readonly long: ReadonlyArray<LongLine>
}

/** The properties of a complete file. */
export interface UnpackedFile {
  /** SHA-256 of the unpacked bytes, hex. */
  readonly checksum: string
  /** The size of the unpacked bytes. */
  readonly sizeBytes: number
  /** True if the file is packed. A transfer may have unpacked it. */
  readonly isPacked: boolean
}

/** The maximum line length. No real record is that long, and no piece of a file. */
export const maxLineBytes = usualBodyBytes

const newline = 0x0a
const comma = 0x2c
const stub = Buffer.from("null,")
const headBytes = 1000

/** The number of unpacked bytes after which their buffers are collected. */
const collectedBytes = 16 * 1024 * 1024

/** The usual size of a page. A page with longer lines has fewer lines. */
const pageBytes = 512 * 1024

const isBlank = (bytes: Uint8Array, from: number, end: number): boolean => {
  for (let at = from; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09 && bytes[at] !== 0x0d) return false
  return true
}

/** Cuts the pieces of a file into pages of 200 lines. Blank lines remain, and count as bytes of their page. */
class LineCutter {
  readonly #memory = makePageMemory()
  #lines = 0
  #first = 0
  #long: Array<LongLine> = []
  #ends = 0
  /** The number of bytes of an incomplete line, and their position in memory. */
  #begun = 0
  #begunAt = 0
  #isBegunBlank = true
  /** The beginning of an incomplete line that is too long; its bytes are no longer stored. */
  #longHead: string | null = null

  #page(): LinePage {
    const done = { ...this.#memory.take(), lines: this.#lines, first: this.#first, long: this.#long }
    this.#first += this.#lines
    this.#lines = 0
    this.#long = []
    return done
  }

  /** Discards the stored bytes of a line that is too long. */
  #dropBegun() {
    this.#longHead ??= this.#memory.cutAt(this.#begunAt, headBytes).toString("utf8")
  }

  #putStub() {
    this.#long.push({ index: this.#lines, head: this.#longHead ?? "" })
    this.#memory.put(stub, stub.length - 1)
  }

  /** Stores the beginning of a line that ends in a later piece. */
  #begin(bytes: Buffer) {
    if (this.#begun === 0) this.#begunAt = this.#memory.size()
    this.#begun += bytes.length
    this.#isBegunBlank &&= isBlank(bytes, 0, bytes.length)
    if (this.#begun > maxLineBytes) this.#dropBegun()
    else this.#memory.put(bytes)
  }

  /** Returns the pages that a piece completes. */
  *take(bytes: Buffer): Generator<LinePage> {
    const memory = this.#memory
    let put = 0
    let from = 0
    let lastComma = -1
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
      if (++this.#ends > maxRecords) throw new Error("it has more than 20 million lines")
      const isLine = !this.#isBegunBlank || !isBlank(bytes, from, end)
      // Only an incomplete line can be too long, because no piece is.
      if (this.#begun + end - from > maxLineBytes) {
        this.#dropBegun()
        if (isLine) this.#putStub()
        put = end + 1
      } else if (isLine) {
        bytes[end] = comma
        lastComma = end
      }
      from = end + 1
      this.#begun = 0
      this.#isBegunBlank = true
      this.#longHead = null
      if (isLine) this.#lines += 1
      if (this.#lines < pageLimits.offset.max && memory.size() + from - put <= pageBytes) continue
      memory.put(bytes.subarray(put, from), lastComma - put)
      put = from
      if (this.#lines > 0) yield this.#page()
      else memory.clear()
    }
    memory.put(bytes.subarray(put, from), lastComma - put)
    if (this.#lines === 0 && this.#begun === 0) memory.clear()
    if (from < bytes.length) this.#begin(bytes.subarray(from))
  }

  /** Returns the last page. The newline after its last line is optional. */
  *end(): Generator<LinePage> {
    if (!this.#isBegunBlank) {
      if (this.#longHead === null) this.#memory.keepsComma()
      else this.#putStub()
      this.#lines += 1
    }
    if (this.#lines > 0) yield this.#page()
  }
}

/**
 * Unpacks the feed file that `open` reads, hashes it and cuts it into pages of 200 lines, one at a time. `maxBytes`
 * limits the unpacked file. `onEnd` gets the file's properties. Throws if the file is larger or cannot be unpacked.
 */
export async function* linePages(
  open: () => Readable,
  maxBytes: number,
  onEnd: (unpacked: UnpackedFile) => void
): AsyncGenerator<LinePage> {
  const sum = createHash("sha256")
  const cutter = new LineCutter()
  const source = open()
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
