import { readFileSync } from "node:fs"

/** What the bytes of a page's records show that their parsed values do not. */
export interface PageScan {
  /**
   * How many keys the records have, each as often as it stands there: every `":`. Another number than the parsed records' may mean that
   * an object has a key twice; a text value with `":` in it is a false alarm.
   */
  readonly keys: number
  /** A blank stands before a colon, so that keys cannot be counted by their quotes; or a text value reads like it. */
  readonly blanks: boolean
  /** A number may have more digits than a double carries; a text that reads like one is a false alarm. */
  readonly long: boolean
  /** A number may have an exponent below -99, which a double may round to 0. */
  readonly tiny: boolean
}

/** What of WebAssembly is needed here; its own types come with those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}
interface Flag {
  readonly value: number
}
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number }
  readonly scan: (length: number) => number
  readonly long: Flag
  readonly tiny: Flag
  readonly blank: Flag
}

const start = 64
const program = new WebAssembly.Module(readFileSync(new URL("pageScan.wasm", import.meta.url)))
const { blank, long, memory, scan, tiny } = new WebAssembly.Instance(program).exports as Exports

/**
 * Looks at the records of a page: all between the first and the last square bracket. Runs over every byte of a night, which in JavaScript
 * takes a tenth of a reading; this takes a tenth of that. `pageScan.wat` is its source, a test holds both together.
 */
export const scanPage = (plain: Uint8Array): PageScan => {
  const from = plain.indexOf(0x5b)
  const records = plain.subarray(from + 1, Math.max(from + 1, plain.lastIndexOf(0x5d)))
  const missing = start + records.length + start - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / 65_536))
  const bytes = new Uint8Array(memory.buffer)
  bytes[start - 1] = 0x5b
  bytes.set(records, start)
  bytes.fill(0, start + records.length, start + records.length + start)
  const keys = scan(records.length)
  return { keys, blanks: blank.value === 1, long: long.value === 1, tiny: tiny.value === 1 }
}
