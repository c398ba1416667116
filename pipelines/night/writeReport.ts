import { Effect } from "effect"
import { extname } from "node:path"
import { writeWhole } from "../../src/store/home/disk.ts"
import { outsideHomes } from "../../src/store/home/OutputInHome.ts"
import { readReport } from "../../src/desk/explorer/report/readReport.ts"
import { documentHtml } from "../../src/desk/pages/documentHtml.ts"
import { documentMarkdown } from "../../src/desk/pages/documentMarkdown.ts"

export const reportPrinted = { markdown: documentMarkdown, html: documentHtml }

const formats: Readonly<Record<string, keyof typeof reportPrinted>> = {
  "": "markdown",
  ".md": "markdown",
  ".markdown": "markdown",
  ".txt": "markdown",
  ".html": "html",
  ".htm": "html"
}

/** Returns the report's format for a file name's extension, Markdown without one; null if it is unknown. */
const formatNamed = (file: string) => formats[extname(file).toLowerCase()] ?? null

/** Explains why no report can be written to a file of that name, with the next step; null if it can. */
export const reportNameFault = (flag: string, file: string): string | null =>
  formatNamed(file) === null ? `${flag} ${file} has no known ending. Use .html, .md or .txt` : null

/** Writes the report to a file atomically. Returns its number of sections. */
export const writeReport = Effect.fnUntraced(function* (file: string, format: keyof typeof reportPrinted | null) {
  yield* outsideHomes(file)
  const report = yield* readReport()
  yield* writeWhole(file, `${reportPrinted[format ?? formatNamed(file) ?? "markdown"](report)}\n`)
  return report.sections.length
})
