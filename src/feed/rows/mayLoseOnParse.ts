/** More levels than any record has; far fewer than the stack of whoever walks it later can take. */
export const maxDepth = 1000

/** How many lists and objects enclose the records of a page. */
const around = 3

/** Keys of one object that are compared with each other; an object that has more is looked at more slowly. */
const maxKeys = 256

/** Hashes of the keys of all objects that are open; by level, where those of its object begin. */
const keys = new Int32Array((maxDepth + around + 1) * maxKeys)
const starts = new Int32Array(maxDepth + around + 2)

const quote = 0x22
const backslash = 0x5c
const greatest = Buffer.from(String(Number.MAX_SAFE_INTEGER))

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** True if a backslash may begin half a surrogate pair: \ud800 to \udfff. */
const isHalfPair = (json: Uint8Array, at: number): boolean =>
  json[at + 1] === 0x75 && ((json[at + 2] ?? 0) | 0x20) === 0x64 && (json[at + 3] ?? 0) > 0x37

/** True if a double may not represent a number exactly. `end` is behind its digits and dots. */
const mayRound = (json: Uint8Array, from: number, end: number): boolean => {
  const digits = end - from
  if (((json[end] ?? 0) | 0x20) === 0x65) {
    const exponent = /^[-+]?(\d*)/.exec(String.fromCharCode(...json.subarray(end + 1, end + 6)))?.[1] ?? ""
    return digits > 15 || exponent.length > 2
  }
  return digits > 16 || (digits === 16 && greatest.compare(json, from, end) < 0)
}

/**
 * True if a JSON text may hold data that its parsed value lacks: a duplicate key, more digits than a double carries,
 * half a surrogate pair, more levels than {@link maxDepth}. False alarms are rare; it runs over every byte of a night.
 */
export const mayLoseOnParse = (json: Uint8Array): boolean => {
  const end = json.length
  let count = 0
  let level = 0
  let at = 0
  while (at < end) {
    const byte = json[at] ?? 0
    if (byte === quote) {
      const from = ++at
      let isEscaped = false
      let inner = json[at] ?? quote
      while (inner !== quote) {
        if (inner === backslash) {
          if (isHalfPair(json, at)) return true
          isEscaped = true
          at++
        }
        inner = json[++at] ?? quote
      }
      let hash = at - from
      let next = json[++at] ?? 0
      while (isBlank(next)) next = json[++at] ?? 0
      if (next !== 0x3a) continue
      const close = from + hash
      for (let place = from; place < close; place++) hash = (Math.imul(hash, 31) + (json[place] ?? 0)) | 0
      const first = starts[level] ?? 0
      if (isEscaped || count - first === maxKeys) return true
      for (let key = first; key < count; key++) if (keys[key] === hash) return true
      keys[count++] = hash
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++level > maxDepth + around) return true
      starts[level] = count
      at++
    } else if (byte === 0x7d || byte === 0x5d) {
      count = starts[level--] ?? 0
      at++
    } else if (isDigit(byte)) {
      const from = at
      let next = json[++at] ?? 0
      while (isDigit(next) || next === 0x2e) next = json[++at] ?? 0
      if (mayRound(json, from, at)) return true
    } else at++
  }
  return false
}
