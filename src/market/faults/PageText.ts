/** A list page taken apart without decoding its records, so that what is not touched stays byte for byte. */
export interface PageText {
  readonly records: ReadonlyArray<string>
  readonly pagination: Readonly<Record<string, unknown>> | undefined
}

const opening = '{"data":['
const closing = '],"pagination":'

/** Index of the quote that closes the string opened at `open`. */
const closingQuote = (text: string, open: number): number => {
  let at = open + 1
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
  return at
}

/** The elements inside a JSON array, as they are written. */
const elements = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = closingQuote(text, at)
    else if (char === "{" || char === "[") depth += 1
    else if (char === "}" || char === "]") depth -= 1
    else if (char === "," && depth === 0) {
      found.push(text.slice(start, at))
      start = at + 1
    }
  }
  return text === "" ? [] : [...found, text.slice(start)]
}

/** Takes a page apart as the sandbox writes it; undefined if it is not a list with records. */
export const readPageText = (text: string): PageText | undefined => {
  if (!text.startsWith(opening)) return undefined
  const end = text.lastIndexOf(closing)
  const inside = text.slice(opening.length, end === -1 ? -2 : end)
  return {
    records: elements(inside),
    pagination: end === -1 ? undefined : JSON.parse(text.slice(end + closing.length, -1))
  }
}

export const writePageText = ({ pagination, records }: PageText): string =>
  `${opening}${records.join(",")}${pagination === undefined ? "]}" : `${closing}${JSON.stringify(pagination)}}`}`
