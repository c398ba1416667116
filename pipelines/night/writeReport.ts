import { Effect } from "effect"
import { writeWhole } from "../../src/store/home/disk.ts"
import { outsideHomes } from "../../src/store/home/OutputInHome.ts"
import { readReport } from "../../src/desk/explorer/report/readReport.ts"
import { documentHtml } from "../../src/desk/pages/documentHtml.ts"
import { documentMarkdown } from "../../src/desk/pages/documentMarkdown.ts"

export const reportPrinted = { markdown: documentMarkdown, html: documentHtml }

/** Writes the report to a file atomically. Returns its number of sections. */
export const writeReport = Effect.fnUntraced(function* (file: string, format: keyof typeof reportPrinted | null) {
  yield* outsideHomes(file)
  const report = yield* readReport()
  const named = /\.html?$/i.test(file) ? "html" : "markdown"
  yield* writeWhole(file, `${reportPrinted[format ?? named](report)}\n`)
  return report.sections.length
})
