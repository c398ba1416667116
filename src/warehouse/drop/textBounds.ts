/** The first letters of a text: never above it. */
export const lowerText = (text: string, most: number): string => Array.from(text).slice(0, most).join("")

/** The least text of so many letters that is not below the given one; null = there is none. */
export const upperText = (text: string, most: number): string | null => {
  const letters = Array.from(text)
  if (letters.length <= most) return text
  for (let last = most - 1; last >= 0; last--) {
    const code = letters[last]?.codePointAt(0) ?? 0
    // Between these are surrogate halves, which are not letters.
    const next = code === 0xd7ff ? 0xe000 : code + 1
    if (next <= 0x10ffff) return letters.slice(0, last).join("") + String.fromCodePoint(next)
  }
  return null
}
