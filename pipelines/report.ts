import { Effect } from "effect"
import { readReport } from "../src/desk/explorer/report/readReport.ts"
import { type DocumentSection, sentenceText } from "../src/desk/pages/document.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { reportNameFault, reportPrinted, writeReport } from "./night/writeReport.ts"
import { printAnswer, printExact, printJson, wrongUsage } from "./print/printAnswer.ts"
import type * as specs from "./specs/reading.ts"

/** Returns a section for JSON, without fields for printers. */
const sectionJson = ({ says, tables, title }: DocumentSection) => ({
  title,
  says: says.map(sentenceText),
  tables: tables.map(({ caption, columns, rows }) => ({ caption, heads: columns.map(({ label }) => label), rows }))
})

export const report = Effect.fnUntraced(function* ({ format, json, output: file }: typeof specs.report.Input) {
  if (file !== null) {
    const fault = format === null ? reportNameFault("--output", file) : null
    if (fault !== null) return yield* wrongUsage(fault)
    const sections = yield* writeReport(file, format)
    return yield* printAnswer(json, { file, sections }, () => `${formatAmount(sections, "section")} in ${file}`)
  }
  const found = yield* readReport()
  if (!json) return yield* printExact(reportPrinted[format ?? "markdown"](found))
  const { says, sections, title } = found
  yield* printJson({ title, says, sections: sections.map(sectionJson) })
})
