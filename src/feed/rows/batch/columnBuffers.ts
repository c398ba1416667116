import { varint } from "./parquetFile.ts"

/** A growing buffer of 32-bit words. */
export class Int32Buffer {
  #words = new Int32Array(1024)
  length = 0

  push(word: number): void {
    if (this.length === this.#words.length) this.#grow()
    this.#words[this.length++] = word
  }

  /** Appends an integer up to 2^53 as two words, the lower one first. */
  pushWhole(whole: number): void {
    if (this.length + 2 > this.#words.length) this.#grow()
    this.#words[this.length] = whole
    this.#words[this.length + 1] = Math.floor(whole / 4_294_967_296)
    this.length += 2
  }

  #grow(): void {
    this.#words = grown(this.#words, new Int32Array(this.#words.length * 2))
  }

  /** Returns the bytes in little-endian order and empties the buffer. They are valid until the next append. */
  take(): Uint8Array {
    const bytes = new Uint8Array(this.#words.buffer, 0, this.length * 4)
    this.length = 0
    return bytes
  }
}

const grown = <A extends Int32Array | Uint8Array>(from: A, to: A & { readonly set: (from: A) => void }): A => {
  to.set(from)
  return to
}

/** Parquet's definition levels, which mark missing values; up to 3 for a list. */
export class LevelBuffer {
  #levels = new Uint8Array(1024)
  #lowest = 255
  length = 0
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  push(level: number): void {
    if (this.length === this.#levels.length) this.#levels = grown(this.#levels, new Uint8Array(this.length * 2))
    this.#levels[this.length++] = level
    if (level < this.#lowest) this.#lowest = level
  }

  /** Encodes the levels after their length: as one run if all are equal, else bit-packed. Empties the buffer. */
  take(): Uint8Array {
    const isFull = this.#lowest >= this.#most
    const bytes = isFull ? [...varint(this.length * 2), this.#most] : this.#packed()
    const head = Buffer.alloc(4)
    head.writeUInt32LE(bytes.length)
    this.length = 0
    this.#lowest = 255
    return Buffer.concat([head, Uint8Array.from(bytes)])
  }

  #packed(): Uint8Array {
    const bits = this.#most > 1 ? 2 : 1
    const groups = Math.ceil(this.length / 8)
    const head = varint(groups * 2 + 1)
    const packed = new Uint8Array(head.length + groups * bits)
    packed.set(head)
    for (let at = 0; at < this.length; at++) {
      const bit = at * bits
      const place = head.length + (bit >> 3)
      packed[place] = (packed[place] ?? 0) | ((this.#levels[at] ?? 0) << (bit & 7))
    }
    return packed
  }
}

/** Texts in Parquet's plain encoding: each follows its length in bytes. */
export class TextBuffer {
  #bytes = Buffer.allocUnsafe(4096)
  length = 0

  push(text: string): void {
    const most = this.length + 4 + text.length * 3
    if (most > this.#bytes.length) this.#bytes = grown(this.#bytes, Buffer.allocUnsafe(most * 2))
    const from = this.length + 4
    let end = from
    const bytes = this.#bytes
    // A loop is faster than a native call for a short text.
    if (text.length < 32) {
      for (let at = 0; at < text.length; at++) {
        const char = text.charCodeAt(at)
        if (char > 0x7f) {
          end = from + bytes.write(text, from)
          break
        }
        bytes[end++] = char
      }
    } else end = from + bytes.write(text, from)
    const size = end - from
    bytes[from - 4] = size
    bytes[from - 3] = size >> 8
    bytes[from - 2] = size >> 16
    bytes[from - 1] = size >> 24
    this.length = end
  }

  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.length)
    this.length = 0
    return bytes
  }
}
