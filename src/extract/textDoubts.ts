import { hasLongNumber } from "./longNumber.ts"

/** What of a text the parsed value no longer shows, and what the loader would read differently from it. */
export interface TextDoubts {
  /** A line break or a byte order mark: the loader reads one page a line. */
  readonly layout: boolean
  /** A number may have more digits than a double carries, or a string half a surrogate pair. */
  readonly values: boolean
}

const surrogateEscape = /\\u[dD][89a-fA-F]/

/** Whether a page's text needs the slow look: `plain` is the text's UTF-8. */
export const textDoubts = (text: string, plain: Uint8Array): TextDoubts => ({
  layout: hasLineBreak(text) || text.charCodeAt(0) === 0xfeff,
  values: (text.includes("\\u") && surrogateEscape.test(text)) || hasLongNumber(plain)
})

const hasLineBreak = (text: string): boolean => {
  const at = text.indexOf("\n")
  return (at !== -1 && text.slice(at).trim() !== "") || text.includes("\r")
}
