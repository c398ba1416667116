import type { PageScan } from "./pageScan.ts"

/** What of a text the parsed value no longer shows, and what the loader would read differently from it. */
export interface TextDoubts {
  /** A line break or a byte order mark: the loader reads one page a line. */
  readonly layout: boolean
  /** A number may have more digits or a smaller exponent than a double carries, or a string half a surrogate pair. */
  readonly values: boolean
  /** A blank before a colon: keys cannot be counted by their quotes. */
  readonly colons: boolean
}

const surrogateEscape = /\\u[dD][89a-fA-F]/

/** Whether a page's text needs the slow look. */
export const textDoubts = (text: string, { blanks, long, tiny }: PageScan): TextDoubts => ({
  layout: hasLineBreak(text) || text.charCodeAt(0) === 0xfeff,
  values: (text.includes("\\u") && surrogateEscape.test(text)) || long || tiny,
  colons: blanks
})

const hasLineBreak = (text: string): boolean => {
  const at = text.indexOf("\n")
  return (at !== -1 && text.slice(at).trim() !== "") || text.includes("\r")
}
