export const quote = 34
export const comma = 44
export const colon = 58
const backslash = 92
export const openBrace = 123
const closeBrace = 125
const isOpen = (byte: number | undefined) => byte === openBrace || byte === 91
const isClose = (byte: number | undefined) => byte === closeBrace || byte === 93
const isSpace = (byte: number | undefined) => byte === 32 || byte === 10 || byte === 13 || byte === 9

export const afterSpace = (text: Buffer, from: number): number => {
  let at = from
  while (isSpace(text[at])) at++
  return at
}

/** Index of the quote that closes the string opened at `open`; the text's end if none does. */
export const closingQuote = (text: Buffer, open: number): number => {
  for (let at = text.indexOf(quote, open + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    let first = at
    while (text[first - 1] === backslash) first--
    if ((at - first) % 2 === 0) return at
  }
  return text.length
}

/** Index behind the value that begins at `start`. */
export const endOfValue = (text: Buffer, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const byte = text[at]
    if (depth === 0 && at > start && (byte === comma || isClose(byte) || isSpace(byte))) return at
    if (byte === quote) at = closingQuote(text, at)
    else if (isOpen(byte)) depth += 1
    else if (isClose(byte)) depth -= 1
    if (depth === 0 && (byte === quote || isClose(byte))) return at + 1
  }
  return text.length
}
