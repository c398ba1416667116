import { Effect } from "effect"
import { readReport } from "../src/desk/explorer/report/readReport.ts"
import { amountOf } from "../src/store/diff/amountOf.ts"
import { reportText, writeReport } from "./night/writeReport.ts"
import { printAnswer, printExact } from "./print/printAnswer.ts"
import type * as specs from "./specs/reading.ts"
import type { Asked } from "./specs/spec.ts"

/** What a morning brings: what waits, what is watched, one's own cards, what moved and changed in every game. */
export const report = Effect.fnUntraced(function* ({ format, json, output: file }: Asked<typeof specs.report>) {
  if (file !== null) {
    const sections = yield* writeReport(file, format)
    return yield* printAnswer(json, { file, sections }, () => `${amountOf(sections, "section")} in ${file}`)
  }
  const found = yield* readReport()
  yield* json ? printAnswer(true, found, () => "") : printExact(reportText(found, format ?? "markdown"))
})
