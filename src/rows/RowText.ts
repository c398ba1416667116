import { hash } from "node:crypto"

/** Characters that a text is quoted for, by their code; blanks are at its ends. */
const special = new Uint8Array(128)
for (const char of "\"'(),:=[]{}") special[char.charCodeAt(0)] = 1
const isBlank = (char: number): boolean => char === 0x20 || (char >= 0x09 && char <= 0x0d)

const quote = 0x27

/**
 * A row as DuckDB's own text of it, `(card, NULL, ['en'], {'id': 1})`, written byte by byte: a
 * night has a billion characters of them, and to put strings together takes four times as long.
 */
export class RowText {
  #bytes = Buffer.allocUnsafe(65_536)
  #length = 0

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe((this.#length + more) * 2)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }

  /** Characters of ASCII, as they are. */
  put(text: string): void {
    this.#reserve(text.length)
    const bytes = this.#bytes
    let end = this.#length
    for (let at = 0; at < text.length; at++) bytes[end++] = text.charCodeAt(at)
    this.#length = end
  }

  /** A text, in quotes where it would be read as something else. */
  text(text: string): void {
    this.#reserve(text.length * 3)
    const { length } = text
    const bytes = this.#bytes
    let end = this.#length
    let isPlain = length > 0 && !isBlank(text.charCodeAt(0)) && !isBlank(text.charCodeAt(length - 1))
    for (let at = 0; isPlain && at < length; at++) {
      const char = text.charCodeAt(at)
      if (char > 127) return this.#wide(text)
      isPlain = special[char] !== 1
      bytes[end++] = char
    }
    if (!isPlain || (length === 4 && text.toLowerCase() === "null")) return this.#quoted(text)
    this.#length = end
  }

  /** One with other letters than those of ASCII. */
  #wide(text: string): void {
    let isPlain = !isBlank(text.charCodeAt(0)) && !isBlank(text.charCodeAt(text.length - 1))
    for (let at = 0; isPlain && at < text.length; at++) isPlain = special[text.charCodeAt(at)] !== 1
    if (!isPlain) return this.#quoted(text)
    this.#length += this.#bytes.write(text, this.#length)
  }

  #quoted(text: string): void {
    const inner = text.includes("'") || text.includes("\\") ? text.replaceAll(/['\\]/g, String.raw`\$&`) : text
    this.#reserve(inner.length * 3 + 2)
    this.#bytes[this.#length++] = quote
    this.#length += this.#bytes.write(inner, this.#length)
    this.#bytes[this.#length++] = quote
  }

  /** Its md5, in hex. Empties it. */
  md5(): string {
    const sum = hash("md5", this.#bytes.subarray(0, this.#length), "hex")
    this.#length = 0
    return sum
  }
}
