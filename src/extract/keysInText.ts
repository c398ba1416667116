const quotes = 0x22222222
const colons = 0x3a3a3a3a

const keysBetween = (json: Uint8Array, from: number, to: number): number => {
  let keys = 0
  for (let at = from; at < to; at++) if (json[at] === 0x3a && json[at - 1] === 0x22) keys += 1
  return keys
}

/**
 * How many keys the records of a page's text have, each as often as it stands there: every `":` between the first and the last
 * square bracket. Another number than {@link countKeys} of what was parsed may mean that an object has a key twice; so does a
 * blank before the colons, or a text value with `":` in it, which are false alarms. Runs over every byte of a night, so it looks
 * at four of them at a time and branches nowhere: a third of the time of {@link keysBetween}.
 */
export const keysInText = (json: Uint8Array): number => {
  const from = json.indexOf(0x5b) + 1
  const to = json.lastIndexOf(0x5d)
  const start = from + ((4 - ((json.byteOffset + from) % 4)) % 4)
  if (start >= to) return keysBetween(json, from, to)
  const words = new Int32Array(json.buffer, json.byteOffset + start, (to - start) >> 2)
  let keys = keysBetween(json, from, start) + keysBetween(json, start + words.length * 4, to)
  let before = json[start - 1] ?? 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? 0
    // A byte of 0 where a colon stands behind a quote; little-endian, so the byte before is the lower one.
    const unlike = (word ^ colons) | (((word << 8) | before) ^ quotes)
    const found = ~(((unlike & 0x7f7f7f7f) + 0x7f7f7f7f) | unlike | 0x7f7f7f7f) >>> 7
    keys += Math.imul(found, 0x01010101) >>> 24
    before = word >>> 24
  }
  return keys
}
