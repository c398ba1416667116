import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { textArgument } from "./flags/filledText.ts"
import { printFault, printText } from "./print/printAnswer.ts"
import { home, json } from "./flags/sharedFlags.ts"
import { Stopped } from "./print/Stopped.ts"
import type { Described } from "./lake/runDescribe.ts"
import { textTable } from "../src/observe/textTable.ts"

const name = textArgument("name").pipe(
  Argument.withDescription("Table, view or macro; default: all of them"),
  Argument.optional
)
const markdown = Flag.Boolean("markdown").pipe(
  Flag.withDescription("Print the data dictionary"),
  Flag.withDefault(false)
)

/** What the lake's tables, views and macros mean. */
export const describe = Command.make(
  "describe",
  { name, markdown, home, json },
  Effect.fnUntraced(function* ({ json, markdown, name }) {
    if (json && markdown) {
      yield* printFault("Choose one of --json and --markdown")
      return yield* new Stopped({ code: 2 })
    }
    const { runDescribe } = yield* Effect.promise(() => import("./lake/runDescribe.ts"))
    const all = yield* runDescribe(Option.getOrNull(name))
    if (json) return yield* Console.log(JSON.stringify(all))
    if (markdown) return yield* Console.log(dictionary(all))
    return yield* printText(Option.isSome(name) ? all.map(describedText).join("\n\n") : describedList(all))
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

/** One table, view or macro for a person. */
const describedText = ({ columns, comment, example, kind, name, takes }: Described): string =>
  [
    `${name} (${kind}): ${comment}`,
    ...takenLines(takes).map((line) => `  takes ${line}`),
    textTable(
      ["column", "type", "meaning"],
      columns.map((column) => [column.name, column.type, column.comment])
    ),
    `Try: cardlake query "${example}"`
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
    ...columns.map((column) => `| ${column.name} | ${cell(column.type)} | ${cell(column.comment)} |`),
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
