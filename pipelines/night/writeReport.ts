import { Effect } from "effect"
import { writeWhole } from "../../src/store/home/disk.ts"
import { outsideHomes } from "../../src/store/home/OutputInHome.ts"
import { type Report, readReport } from "../../src/desk/explorer/report/readReport.ts"
import { reportHtml, reportMarkdown } from "../../src/desk/explorer/report/reportTexts.ts"

export type ReportFormat = "markdown" | "html"

export const reportText = (report: Report, format: ReportFormat): string =>
  (format === "html" ? reportHtml(report) : reportMarkdown(report)).trimEnd()

/** Writes the report of a morning to a file, whole or not at all; returns how many sections it has. */
export const writeReport = Effect.fnUntraced(function* (file: string, format: ReportFormat | null) {
  yield* outsideHomes(file)
  const report = yield* readReport()
  const named: ReportFormat = /\.html?$/i.test(file) ? "html" : "markdown"
  yield* writeWhole(file, `${reportText(report, format ?? named)}\n`)
  return report.sections.length
})
