import { createHash } from "node:crypto"
import type { Readable } from "node:stream"
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
class LineCutter {
  readonly #memory = makePageMemory()
  #lines = 0
  #first = 0
  #long: Array<LongLine> = []
  #ends = 0
  /** Of a line whose end is not there yet: its bytes, and where in memory they are. */
  #begun = 0
  #begunAt = 0
  #isBegunBlank = true
  /** How the begun line begins, once it is too long; its bytes are no longer kept. */
  #longHead: string | null = null

  #page(): LinePage {
    const done = { ...this.#memory.take(), lines: this.#lines, first: this.#first, long: this.#long }
    this.#first += this.#lines
    this.#lines = 0
    this.#long = []
    return done
  }

  /** Drops what is kept of a line that got too long. */
  #dropBegun() {
    this.#longHead ??= this.#memory.cutAt(this.#begunAt, headBytes).toString("utf8")
  }

  #putStub() {
    this.#long.push({ index: this.#lines, head: this.#longHead ?? "" })
    this.#memory.put(stub, stub.length - 1)
  }

  /** Keeps a line whose end is in a later piece. */
  #begin(bytes: Buffer) {
    if (this.#begun === 0) this.#begunAt = this.#memory.size()
    this.#begun += bytes.length
    this.#isBegunBlank &&= isBlank(bytes, 0, bytes.length)
    if (this.#begun > maxLineBytes) this.#dropBegun()
    else this.#memory.put(bytes)
  }

  /** The pages that a piece completes. */
  *take(bytes: Buffer): Generator<LinePage> {
    const memory = this.#memory
    let put = 0
    let from = 0
    let lastComma = -1
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
      if (++this.#ends > maxRecords) throw new Error("it has more than 20 million lines")
      const isLine = !this.#isBegunBlank || !isBlank(bytes, from, end)
      // Only a begun line can be too long: no piece is.
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

  /** The last page: its last line may lack its end. */
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
 * Unpacks a feed file that `open` reads, hashes it and cuts it into pages of 200 lines, a page at a time. `maxBytes`: of the unpacked
 * file. `onEnd` hears what the file was. Throws if it is larger or cannot be unpacked.
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
