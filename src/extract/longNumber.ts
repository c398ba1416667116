/** 1 for what the digits of a number are written with: 0 to 9 and the dot. */
const isDigit = new Uint8Array(256)
for (const char of "0123456789.") isDigit[char.charCodeAt(0)] = 1

/** What can stand before a number in JSON, its sign included. */
const isOpening = new Uint8Array(256)
for (const char of ":,[- \t\r\n") isOpening[char.charCodeAt(0)] = 1

/** A double carries any 15 digits, and every integer of 16 up to this. */
const greatest = String(Number.MAX_SAFE_INTEGER)
const longest = 16
const half = longest / 2

/** Whether the 16 characters from a place on are an integer that a double does not carry. */
const isAbove = (json: Uint8Array, from: number): boolean => {
  for (let at = 0; at < longest; at++) {
    const char = json[from + at] ?? 0
    const limit = greatest.charCodeAt(at)
    if (char !== limit) return char > limit
  }
  return false
}

/**
 * Whether a JSON text may hold a number of more digits than a double carries. Looks at every 16th byte, as a run of that many
 * digits covers one of those, and reaches eight bytes to one side of it. A text that reads like such a number is a false alarm;
 * there is no false calm.
 */
export const hasLongNumber = (json: Uint8Array): boolean => {
  for (let at = 0; at < json.length; at += longest) {
    if (isDigit[json[at] ?? 0] === 0) continue
    if (isDigit[json[at - half] ?? 0] === 0 && isDigit[json[at + half] ?? 0] === 0) continue
    let from = at
    while (from > 0 && isDigit[json[from - 1] ?? 0] === 1) from -= 1
    let to = at + 1
    while (to < json.length && isDigit[json[to] ?? 0] === 1) to += 1
    const exponent = ((json[to] ?? 0) | 0x20) === 0x65
    if (to - from < longest || isOpening[json[from - 1] ?? 0] !== 1) continue
    if (exponent || to - from > longest || isAbove(json, from)) return true
  }
  return false
}
