import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import { home, json, optionalArgument, switchFlag } from "./flags/sharedFlags.ts"
import { Printing } from "./print/hints.ts"
import { printRows, wrongUsage } from "./print/printAnswer.ts"
import type { Described } from "./lake/runDescribe.ts"
import { textTable } from "../src/night/observe/textTable.ts"

const name = optionalArgument("name", "Table, view or macro; default: all of them")
const markdown = switchFlag("markdown", "Print the data dictionary")

/** What the lake's tables, views and macros mean. */
export const describe = Command.make(
  "describe",
  { name, markdown, home, json },
  Effect.fnUntraced(function* ({ json, markdown, name }) {
    if (json && markdown) {
      return yield* wrongUsage("Choose one of --json and --markdown")
    }
    const { runDescribe } = yield* Effect.promise(() => import("./lake/runDescribe.ts"))
    const all = yield* runDescribe(Option.getOrNull(name), markdown)
    if (json) return yield* Console.log(JSON.stringify(all))
    if (markdown) return yield* Console.log(dictionary(all))
    // The home belongs to a command before its column is measured.
    const { hint: withHints } = yield* Printing
    const hinted = all.map((one) => described(one, withHints))
    return yield* printRows(
      Option.isSome(name)
        ? hinted.map((one) => describedText(one, withHints)).join("\n\n")
        : withHints(describedList(hinted))
    )
  })
).pipe(
  Command.withDescription("Explain every table, view and macro of the lake"),
  Command.withExamples([
    { command: "cardlake describe", description: "All of them, a line each" },
    { command: "cardlake describe movers", description: "Columns, types, parameters and an example" },
    { command: "cardlake describe --markdown", description: "The data dictionary" }
  ])
)

const takenLines = (takes: string): ReadonlyArray<string> => (takes === "" ? [] : takes.split("; "))

/** With commands of this home in what it says. */
const described = ({ columns, comment, ...one }: Described, withHints: (text: string) => string): Described => ({
  ...one,
  comment: withHints(comment),
  columns: columns.map(({ comment, name, type }) => ({ name, type, comment: withHints(comment) }))
})

/** One table, view or macro for a person. */
const describedText = (
  { columns, comment, example, kind, name, takes }: Described,
  withHints: (text: string) => string
): string =>
  [
    `${name} (${kind}): ${comment}`,
    ...takenLines(takes).map((line) => `  takes ${line}`),
    columns.every(({ type }) => type === null)
      ? textTable(
          ["column", "meaning"],
          columns.map((column) => [column.name, column.comment]),
          { wraps: true }
        )
      : textTable(
          ["column", "type", "meaning"],
          columns.map((column) => [column.name, column.type, column.comment]),
          { wraps: true }
        ),
    withHints(`Try: cardlake query "${example}"`)
  ].join("\n")

/** All of them, a line each. */
const describedList = (all: ReadonlyArray<Described>): string =>
  [
    textTable(
      ["name", "kind", "meaning"],
      all.map(({ comment, kind, name }) => [name, kind, comment.replace(/ One row per .*$/, "")])
    ),
    "\nColumns, types and an example: cardlake describe NAME"
  ].join("\n")

const cell = (text: string) => text.replaceAll("|", "\\|")
const titles = { table: "Tables", view: "Views", macro: "Macros" } as const

const section = ({ columns, comment, example, name, takes }: Described): string =>
  [
    `### ${name}`,
    "",
    comment,
    "",
    ...(takes === "" ? [] : ["Takes:", "", ...takenLines(takes).map((line) => `- ${line}`), ""]),
    "```sql",
    example,
    "```",
    "",
    "| column | type | meaning |",
    "| --- | --- | --- |",
    ...columns.map((column) => `| ${column.name} | ${cell(column.type ?? "")} | ${cell(column.comment)} |`),
    ""
  ].join("\n")

/** The data dictionary. */
export const dictionary = (all: ReadonlyArray<Described>): string =>
  [
    "# Data dictionary",
    "",
    "What `lake.duckdb` answers to. Made by `cardlake describe --markdown` from the comments in the lake's SQL.",
    "",
    ...(["table", "view", "macro"] as const).map((kind) => {
      const ofKind = all.filter((one) => one.kind === kind)
      return [`## ${titles[kind]}`, "", ...ofKind.map(section)].join("\n")
    })
  ].join("\n")
