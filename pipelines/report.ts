import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { DocumentSection } from "../src/desk/pages/document.ts"
import { amountOf } from "../src/store/diff/amountOf.ts"
import { textFlag, home, json } from "./flags/sharedFlags.ts"
import { printAnswer, printExact, printJson } from "./print/printAnswer.ts"

const format = Flag.Literals("format", ["markdown", "html"]).pipe(
  Flag.withDescription("What it is written as; default: as the file's name ends, else Markdown"),
  Flag.optional
)
const output = textFlag("output", "FILE").pipe(
  Flag.withAlias("o"),
  Flag.withDescription("Write it to a file, such as morning.html"),
  Flag.optional
)

/** A section as JSON has it, without what only printers need. */
const sectionJson = ({ says, tables, title }: DocumentSection) => ({
  title,
  says,
  tables: tables.map(({ caption, columns, rows }) => ({ caption, heads: columns.map(({ label }) => label), rows }))
})

/** What a morning brings: what waits, what is watched, one's own cards, what moved and changed in every game. */
export const report = Command.make(
  "report",
  { format, output, home, json },
  Effect.fnUntraced(function* ({ format, json, output }) {
    const { readReport } = yield* Effect.promise(() => import("../src/desk/explorer/report/readReport.ts"))
    const { reportPrinted, writeReport } = yield* Effect.promise(() => import("./night/writeReport.ts"))
    const file = Option.getOrNull(output)
    if (file !== null) {
      const sections = yield* writeReport(file, Option.getOrNull(format))
      return yield* printAnswer(json, { file, sections }, () => `${amountOf(sections, "section")} in ${file}`)
    }
    const found = yield* readReport()
    if (json) {
      const { says, sections, title } = found
      return yield* printJson({ title, says, sections: sections.map(sectionJson) })
    }
    yield* printExact(reportPrinted[Option.getOrElse(format, () => "markdown" as const)](found))
  })
).pipe(
  Command.withDescription("The morning as a page or a text: what moved, what is held, my cards, what is watched"),
  Command.withExamples([
    { command: "cardlake report", description: "As Markdown on standard output" },
    { command: "cardlake report -o morning.html", description: "As one HTML file to mail" }
  ])
)
