import { ownText } from "../../feed/disk/ownText.ts"

/**
 * Headers that forbid external resources, frames and content sniffing. Scripts and styles are files of the same server.
 * Pages may send their referrer: over plain http, it is the only proof that a form is from an allowed host.
 */
export const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
}

const style = (name: string): string => ownText(new URL(name, import.meta.url))

/** The styles of every page: colours for light and dark mode, frame, tables. */
export const pageStyles = (): ReadonlyArray<string> => ["colours.css", "frame.css", "tables.css"].map(style)

export const chartStyles = (): string => style("charts/charts.css")

/** The styles of a document, which is a separate file. */
export const documentStyles = (): string => [...pageStyles(), chartStyles(), style("document.css")].join("")
