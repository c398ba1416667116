import type { Described } from "./runDescribe.ts"
import { textTable } from "../src/observe/textTable.ts"

const takenLines = (takes: string): ReadonlyArray<string> => (takes === "" ? [] : takes.split("; "))

/** One table, view or macro for a person. */
export const describedText = ({ columns, comment, example, kind, name, takes }: Described): string =>
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
export const describedList = (all: ReadonlyArray<Described>): string =>
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
