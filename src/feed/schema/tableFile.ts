import { ownText } from "../disk/ownText.ts"

/** The contract version of the first release, and the lowest that is read. Headers name later ones. */
export const firstContract = 6

/**
 * Which ways of reading fill a column: pages and feed files alike, one of them alone, or each in a manner of its `own`. What tonight's
 * way of reading does not fill is null; what both do not fill alike is compared only with a reading in the same way.
 */
export type ColumnVia = "both" | "pages" | "feeds" | "own"

/**
 * A column as a table file's header has it: `name type attributes: meaning`. Attributes: `since 7` (contract version),
 * `formerly artist until 7`, `from drawnBy` (in the feed), `retired 7` (null since contract version 7), `unversioned` (makes no version),
 * `derived` (that it moved is no change), `via pages` (see {@link ColumnVia}).
 */
export interface Column {
  readonly name: string
  /** The DuckDB type; empty for a view or macro, which infers it. */
  readonly type: string
  readonly since: number
  readonly formerly: { readonly name: string; readonly until: number } | null
  /** Its path in the record or piece that makes the row, such as `expansion.code`; null: its own name. */
  readonly from: string | null
  readonly vias: ColumnVia
  /** The contract version that retired it; null if it is not retired. */
  readonly retired: number | null
  readonly isVersioned: boolean
  /** True if it is computed from other figures, so that a different value is no change. */
  readonly isDerived: boolean
  readonly comment: string
}

/** A `.sql` file of a table: its statement and the promise in its header. */
export interface TableFile {
  readonly name: string
  readonly sql: string
  readonly comment: string
  readonly grain: string
  /** The contract version that introduced it. */
  readonly since: number
  /** The ways of reading that make its rows. */
  readonly vias: ColumnVia
  /** Conditions that every row satisfies, or a uniqueness: `(a, b) is unique`. */
  readonly checks: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Column>
  /** Parameters of a macro, as its header lists them; empty for tables and views. */
  readonly takes: string
  /** The list of the feed whose records make its rows; empty if other rows do. */
  readonly list: string
  /**
   * How past nights keep its rows: `prices` of every night, or as versions of a `product`,
   * `expansion` or `external_id`; empty if the history does not have them.
   */
  readonly history: string
  /** The other sources that its statement reads, tables included. */
  readonly reads: ReadonlyArray<string>
  /** The data that it needs to have rows. */
  readonly needs: ReadonlyArray<PriceNeed>
  /** The SQL below the header; none if the table's rows only need their order. */
  readonly query: string
  /** A query that returns rows. */
  readonly example: string
  /** The query of the view with the macro's name; empty if there is none. */
  readonly view: string
}

/** The data that a query about prices needs and a game can lack. */
export const priceNeeds = ["moves", "prices", "listings", "rates"] as const
export type PriceNeed = (typeof priceNeeds)[number]

const needsIn = (field: string): ReadonlyArray<PriceNeed> =>
  field.split(", ").flatMap((word) => {
    const need = priceNeeds.find((one) => one === word)
    if (need === undefined && word !== "") throw new Error(`A header needs ${word}, which nothing can be`)
    return need ?? []
  })

/** Reads a table file: the header is every `--` line before the first statement. */
export const tableFile = (file: URL): TableFile => parseTableFile(ownText(file))

/** Parses a table file. Throws if the header lacks name, grain, checks or columns: a fault of the program. */
export const parseTableFile = (sql: string): TableFile => {
  const end = sql.search(/^(?!--)/m)
  const header = sql.slice(0, end).split("\n")
  const first = /^-- (\w+): (.+)$/.exec(header[0] ?? "")
  const field = (name: string): string =>
    header
      .find((line) => line.startsWith(`-- ${name}:`))
      ?.slice(name.length + 4)
      .trim() ?? ""
  const columns = header.flatMap((line) => {
    const [, name, life = "", comment = ""] = /^-- {3}(\w+|\*)( [^:]+)?: (.+)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, comment, ...parseLife(life) }]
  })
  const grain = field("grain").replace("one row per ", "")
  if (first === null || grain === "" || columns.length === 0) throw new Error(`No header in SQL file: ${header[0]}`)
  const checks = field("checks")
    .split(";")
    .map((check) => check.trim())
    .filter((check) => check !== "")
  const absent = field("absent")
  const view = field("view")
  const what = /[.?]$/.test(first[2] ?? "") ? first[2] : `${first[2]}.`
  const comment = `${what} One row per ${grain}.${absent === "" ? "" : ` Absent: ${absent}.`}${view === "" ? "" : ` Without brackets it is a view: ${view}.`}`
  const name = first[1] ?? ""
  const query = sql.slice(end).trim().replace(/;$/, "")
  const example = field("example") === "" ? `from ${name}` : field("example")
  return {
    name,
    sql,
    comment,
    grain,
    since: Number(field("since") || firstContract),
    vias: parseVia(field("via")),
    checks,
    columns,
    takes: field("takes"),
    list: field("list"),
    history: field("history"),
    reads: field("reads").split(", "),
    needs: needsIn(field("needs")),
    query,
    example,
    view
  }
}

/** Returns the key columns within a game, by the grain. The key of a table with one row per game is the game. */
export const keyColumns = ({ grain }: TableFile): ReadonlyArray<string> =>
  grain
    .replaceAll(/[()]/g, "")
    .replace(/^game_id, /, "")
    .split(", ")

/** Returns the default sort order of a game's table. */
export const rowOrder = (table: TableFile): string =>
  keyColumns(table)
    .map((key) => `${key} nulls first`)
    .join(", ")

const parseVia = (word: string): ColumnVia => (["pages", "feeds", "own"] as const).find((one) => one === word) ?? "both"

const parseLife = (text: string): Omit<Column, "name" | "comment"> => {
  const [, formerly, until] = / formerly (\w+) until (\d+)/.exec(text) ?? []
  const retired = / retired (\d+)/.exec(text)?.[1]
  return {
    type: text
      .replace(/ (since \d+|formerly \w+ until \d+|from [\w.]+|via \w+|retired \d+|unversioned|derived)/g, "")
      .trim(),
    since: Number(/ since (\d+)/.exec(text)?.[1] ?? firstContract),
    formerly: formerly === undefined ? null : { name: formerly, until: Number(until) },
    from: / from ([\w.]+)/.exec(text)?.[1] ?? null,
    vias: parseVia(/ via (\w+)/.exec(text)?.[1] ?? ""),
    retired: retired === undefined ? null : Number(retired),
    isVersioned: !/ unversioned/.test(text),
    isDerived: / derived/.test(text)
  }
}

/** Returns a column that the header of no SQL file describes, with an empty comment. */
export const plainColumn = (name: string, type: string): Column => ({ name, comment: "", ...parseLife(` ${type}`) })

/** Returns a column's name in files of a contract version; null if they do not have it. */
export const nameIn = ({ formerly, name, since, type }: Column, version: number): string | null => {
  if (type === "" || since > version) return null
  return formerly !== null && version < formerly.until ? formerly.name : name
}

/** The highest contract version that headers name: each new table, column or name and each retired column increases it by one. */
export const newestVersion = (tables: ReadonlyArray<TableFile>): number =>
  Math.max(...tables.flatMap((table) => [table.since, ...table.columns.flatMap(listVersions)]))

const listVersions = ({ formerly, retired, since }: Column) => [since, formerly?.until ?? since, retired ?? since]

/** Returns the `comment on` statement of a macro, whose columns cannot have comments. */
export const macroCommentSql = ({ comment, name }: TableFile): string =>
  `comment on macro table ${name} is ${quoted(comment)}`

/** Returns the `comment on` statements of a table and its columns. `kind` is the DuckDB keyword. */
export const commentSql = (table: TableFile, kind: "table" | "view"): string =>
  [
    `comment on ${kind} ${table.name} is ${quoted(table.comment)};`,
    ...table.columns.map(({ comment, name }) => `comment on column ${table.name}.${name} is ${quoted(comment)};`)
  ].join("\n")

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
