/** What of a text the parsed value no longer shows, and what the loader would read differently from it. */
export interface TextDoubts {
  /** A line break or a byte order mark: the loader reads one page a line. */
  readonly layout: boolean
  /** A number may have more digits than a double carries, or a string half a surrogate pair. */
  readonly values: boolean
}

/** Cheap, for the whole text: more than 12 digits before a dot or an exponent, or five places. Hits strings too. */
const manyDigits = /[.eE][+-]?\d(?:(?<=\d{12}[.eE][+-]?\d)|(?<=\.\d)\d{4})/
/** The same only where a number can stand; a string that looks like one is left over. */
const manyDigitsInNumber = /[:,[]\s*-?(?:\d{12,}[.eE]|\d+\.\d{5,}|\d{17,})/
const surrogateEscape = /\\u[dD][89a-fA-F]/

/**
 * Whether a page's text needs the slow look. No false negatives for figures that the contract accepts: an integer with
 * more than 16 digits, or a price with more than ten before the dot, is out of its range.
 */
export const textDoubts = (text: string): TextDoubts => ({
  layout: hasLineBreak(text) || text.charCodeAt(0) === 0xfeff,
  values:
    (manyDigits.test(text) && manyDigitsInNumber.test(text)) || (text.includes("\\u") && surrogateEscape.test(text))
})

const hasLineBreak = (text: string): boolean => {
  const at = text.indexOf("\n")
  return (at !== -1 && text.slice(at).trim() !== "") || text.includes("\r")
}
