const opening = Buffer.from('{"data":[')
const closing = Buffer.from("]}")
const blank = 0x20

/** Of a page: enough for 200 lines of any game. One with longer lines has memory of its own. */
const usualBytes = 768 * 1024

/** The JSON of a page, and what gives its memory back once nobody reads it any more. */
export interface PageBytes {
  readonly json: Uint8Array
  readonly free: () => void
}

/**
 * Memory of the pages of one file, one page filled after the other. Threads share it: a page that is sent to one is not
 * copied, and leaves nothing to be collected, which would take a tenth of a night's processor time.
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
    /** Bytes that it has, those of the opening aside. */
    size: () => length - opening.length,
    /** `lastComma`: where in it the last line ends with one; negative: none does. */
    put: (more: Uint8Array, lastComma = -1) => {
      reserve(more.length)
      bytes.set(more, length)
      if (lastComma >= 0) comma = length + lastComma
      length += more.length
    },
    /** A line without its end follows, so that the comma before it stays. */
    keepsComma: () => void (comma = -1),
    /** Forgets what was put from here on, and returns at most so many bytes of it. */
    cutAt: (at: number, most: number): Buffer => {
      const head = Buffer.from(bytes.slice(opening.length + at, Math.min(length, opening.length + at + most)))
      length = opening.length + at
      return head
    },
    /** Forgets what was put. */
    clear: () => void (length = opening.length),
    /** The page as it is; the next one begins. */
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
