import { Console, Effect } from "effect"
import type { TableFile } from "../src/feed/schema/tableFile.ts"
import { describeOwnMacros } from "../src/desk/own/Own.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { openLake } from "../src/store/lake/publish/openLake.ts"
import { columnComments, filesNamed, splitTakes } from "../src/store/lake/publish/lakeNames.ts"
import { Printing } from "./print/hints.ts"
import { printRows, wrongUsage } from "./print/printAnswer.ts"
import type * as specs from "./specs/reading.ts"

export interface DescribedColumn {
  readonly name: string
  /** The DuckDB type. Null if no lake exists and the type of a view or macro depends on what it reads. */
  readonly type: string | null
  readonly comment: string
}

export interface Described {
  readonly name: string
  readonly kind: "table" | "view" | "macro"
  readonly comment: string
  /** Parameters of a macro; empty for tables and views. */
  readonly takes: string
  readonly example: string
  readonly columns: ReadonlyArray<DescribedColumn>
}

const readHeaderColumns = (file: TableFile, comments = columnComments(file)): ReadonlyArray<DescribedColumn> =>
  file.columns
    .filter(({ name, retired }) => retired === null && name !== "*")
    .map(({ name, type }) => ({
      name,
      // DuckDB's spelling of the type.
      type: type === "" ? null : type.toUpperCase().replaceAll(", ", ","),
      comment: comments.get(name) ?? ""
    }))

/** The lake, or null after a warning if none exists yet. */
const lakeIfAny = openLake.pipe(
  Effect.catchTag("NoLake", ({ message }) => Effect.as(Effect.logWarning(`${message}. A lake will have these`), null))
)

/** All tables, views and macros, or the named one, with their types in the lake, else in the contract. */
export const runDescribe = Effect.fn("runDescribe")(function* (name: string | null, needsLake = false) {
  const wanted = yield* filesNamed(name)
  const session = yield* needsLake ? openLake : lakeIfAny
  return yield* Effect.forEach(
    wanted,
    Effect.fnUntraced(function* ({ file, kind }) {
      const columns = session === null ? null : yield* session.rows(`Describe ${file.name}`, `describe ${file.example}`)
      const comments = columnComments(file)
      return {
        name: file.name,
        kind,
        comment: file.comment,
        takes: file.takes,
        example: file.example,
        columns:
          columns?.map((column) => ({
            name: String(column["column_name"]),
            type: String(column["column_type"]),
            comment: comments.get(String(column["column_name"])) ?? ""
          })) ?? readHeaderColumns(file)
      } satisfies Described
    })
  )
}, Effect.scoped)

export const describe = Effect.fnUntraced(function* ({ er, json, markdown, name }: typeof specs.describe.Input) {
  if (json && markdown) {
    return yield* wrongUsage("Choose one of --json and --markdown")
  }
  if (er && (json || markdown || name !== null))
    return yield* wrongUsage("--er prints the keys of all tables. Leave out NAME, --json and --markdown")
  if (er) return yield* Console.log(keyDiagram((yield* filesNamed(null)).map(({ file }) => file)))
  const all = yield* runDescribe(name, markdown)
  if (json) return yield* Console.log(JSON.stringify(all))
  if (markdown) return yield* Console.log(dictionary(all))
  // `Printing` needs the home before columns are measured.
  const { hint: withHints } = yield* Printing
  const hinted = all.map((one) => described(one, withHints))
  return yield* printRows(
    name !== null ? hinted.map((one) => describedText(one, withHints)).join("\n\n") : withHints(describedList(hinted))
  )
})

/** Adapts the commands in its texts to this home. */
const described = ({ columns, comment, ...one }: Described, withHints: (text: string) => string): Described => ({
  ...one,
  comment: withHints(comment),
  columns: columns.map(({ comment, name, type }) => ({ name, type, comment: withHints(comment) }))
})

const describedText = (
  { columns, comment, example, kind, name, takes }: Described,
  withHints: (text: string) => string
): string =>
  [
    `${name} (${kind}): ${comment}`,
    ...splitTakes(takes).map((line) => `  takes ${line}`),
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

const describedList = (all: ReadonlyArray<Described>): string =>
  [
    textTable(
      ["name", "kind", "meaning"],
      all.map(({ comment, kind, name }) => [name, kind, comment.replace(/ One row per .*$/, "")])
    ),
    "\nColumns, types and an example: cardlake describe NAME"
  ].join("\n")

const titles = { table: "Tables", view: "Views", macro: "Macros" } as const

const section = ({ columns, comment, example, name, takes }: Described): string => {
  const hasTypes = columns.some(({ type }) => type !== null)
  const rows = columns.map((column) => [column.name, ...(hasTypes ? [column.type ?? ""] : []), column.comment])
  const table = [["column", ...(hasTypes ? ["type"] : []), "meaning"], rows[0]?.map(() => "---") ?? [], ...rows]
  return [
    `### ${name}`,
    "",
    comment,
    "",
    ...(takes === "" ? [] : ["Takes:", "", ...splitTakes(takes).map((line) => `- ${line}`), ""]),
    "```sql",
    example,
    "```",
    "",
    ...table.map((cells) => `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`),
    ""
  ].join("\n")
}

/** Describes the macros over one's own cards, which are in no lake: the columns that need a word. */
const ownMacros = (): ReadonlyArray<Described> =>
  describeOwnMacros().map((file) => {
    const { comment, example, name, takes } = file
    const call = example.includes("(") ? example : `${example}()`
    return { name, kind: "macro", comment, takes, example: call, columns: readHeaderColumns(file) }
  })

export const dictionary = (all: ReadonlyArray<Described>): string =>
  [
    "# Data dictionary",
    "",
    "The tables, views and macros of `lake.duckdb`. Generated by `cardlake describe --markdown` from the comments in the lake's SQL.",
    "",
    ...(["table", "view", "macro"] as const).map((kind) => {
      const ofKind = all.filter((one) => one.kind === kind)
      return [`## ${titles[kind]}`, "", ...ofKind.map(section)].join("\n")
    }),
    "## Your own cards",
    "",
    "Macros that `query` has after `collection import`, and `watch_hits` after `watch add`. They are in no lake. Columns that are not listed mean what they mean elsewhere.",
    "",
    ...ownMacros().map(section)
  ].join("\n")

/** Returns the columns of a table's key, from the check that it is unique; null if it has none. */
const readKey = ({ checks }: TableFile): ReadonlyArray<string> | null =>
  checks.flatMap((check) => /^\(([\w, ]+)\) is unique$/.exec(check)?.[1] ?? [])[0]?.split(", ") ?? null

/**
 * Returns the keys of all tables as an entity-relationship diagram in Mermaid. A key of ids alone is what other tables
 * refer to; each of them is linked to the narrowest such tables.
 */
export const keyDiagram = (all: Iterable<TableFile>): string => {
  const tables = [...all].flatMap((file) => {
    const key = readKey(file)
    return key === null ? [] : [{ file, key, names: file.columns.map(({ name }) => name) }]
  })
  const named = tables.filter(({ key }) => key.every((name) => name.endsWith("_id")))
  const isWithin = (some: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
    some.every((name) => others.includes(name))
  const lines = tables.map(({ file, key, names }) => {
    const known = named.filter((parent) => parent.file !== file && isWithin(parent.key, names))
    const parents = known.filter(
      ({ key }) => !known.some((other) => other.key.length > key.length && isWithin(key, other.key))
    )
    const refers = new Set(parents.flatMap((parent) => parent.key))
    const columns = file.columns.flatMap(({ name, type }) => {
      const marks = [...(key.includes(name) ? ["PK"] : []), ...(refers.has(name) ? ["FK"] : [])]
      return marks.length === 0 ? [] : [`    ${type.replace(/\W.*/, "")} ${name} ${marks.join(", ")}`]
    })
    const links = parents.map(({ file: { name }, key }) => `  ${name} ||--o{ ${file.name} : "${key.join(", ")}"`)
    return { entity: [`  ${file.name} {`, ...columns, "  }"].join("\n"), links }
  })
  return ["erDiagram", ...lines.map(({ entity }) => entity), ...lines.flatMap(({ links }) => links)].join("\n")
}
