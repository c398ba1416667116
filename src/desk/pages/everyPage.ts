import { readFileSync } from "node:fs"

/**
 * Nothing from elsewhere, no frames, no sniffing. Scripts and styles come as files of the same server. Its pages may
 * say where they are: over plain http, a form under an allowed name has no other proof that it is theirs.
 */
export const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
}

const style = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8")

/** What every page looks like: colours by day and by night, frame, tables. */
export const pageStyles = (): ReadonlyArray<string> => ["colours.css", "frame.css", "tables.css"].map(style)

export const chartStyles = (): string => style("charts/charts.css")

/** The styles of a document, which is a file of its own. */
export const documentStyles = (): string => [...pageStyles(), chartStyles(), style("document.css")].join("")
