const opening = Buffer.from('{"data":[')
const closing = Buffer.from("]}")
const blank = 0x20

/** Enough for 200 lines of any real game. A page with longer lines gets separate memory. */
const usualBytes = 768 * 1024

/** The JSON of a page, and a function that releases its memory after the last use. */
export interface PageBytes {
  readonly json: Uint8Array
  readonly free: () => void
}

/**
 * Reusable memory for the pages of one file, filled one after the other. Threads share it, so pages are not copied
 * between them. Garbage collection of copies would take a tenth of a night's processor time.
 */
export const makePageMemory = () => {
  const free: Array<Uint8Array> = []
  let bytes: Uint8Array = new Uint8Array(0)
  let length = 0
  let comma = -1

  const begin = () => {
    bytes = free.pop() ?? new Uint8Array(new SharedArrayBuffer(usualBytes))
    bytes.set(opening)
    length = opening.length
    comma = -1
  }
  const reserve = (more: number) => {
    const needed = length + more + closing.length
    if (needed <= bytes.length) return
    const larger = new Uint8Array(needed * 2)
    larger.set(bytes.subarray(0, length))
    giveBack(bytes)
    bytes = larger
  }
  const giveBack = (of: Uint8Array) => {
    if (of.length === usualBytes && of.buffer instanceof SharedArrayBuffer) free.push(of)
  }
  begin()
  return {
    /** The number of bytes after the opening. */
    size: () => length - opening.length,
    /** `lastComma` is the position of the comma after the last line in `more`; negative if there is none. */
    put: (more: Uint8Array, lastComma = -1) => {
      reserve(more.length)
      bytes.set(more, length)
      if (lastComma >= 0) comma = length + lastComma
      length += more.length
    },
    /** Keeps the last comma, because an incomplete line follows. */
    keepsComma: () => void (comma = -1),
    /** Removes the bytes from this position on, and returns at most `most` of them. */
    cutAt: (at: number, most: number): Buffer => {
      const head = Buffer.from(bytes.slice(opening.length + at, Math.min(length, opening.length + at + most)))
      length = opening.length + at
      return head
    },
    clear: () => void (length = opening.length),
    take: (): PageBytes => {
      const whole = bytes
      if (comma !== -1) whole[comma] = blank
      whole.set(closing, length)
      const json = whole.subarray(0, length + closing.length)
      begin()
      return { json, free: () => giveBack(whole) }
    }
  }
}
