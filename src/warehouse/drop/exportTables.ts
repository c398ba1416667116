import { firstContract, parseTableFile, type Column, type TableFile } from "../../feed/schema/tableFile.ts"
import { ownText } from "../../feed/disk/ownText.ts"
import { nightlyTables } from "../../store/lake/history/nightlyTables.ts"
import { snapshotTables } from "../../feed/schema/snapshotTables.ts"
import type { DestinationFailed } from "../destination/Destination.ts"
import { Fault } from "../../feed/contract/Fault.ts"

/** Export names of the lake's columns whose names are reserved words in a warehouse. */
const renamed: Readonly<Record<string, string>> = {
  change: "change_type",
  class: "change_class",
  condition: "card_condition",
  day: "rate_date",
  field: "field_name",
  language: "language_code",
  list: "feed_list",
  new: "new_value",
  old: "old_value",
  position: "list_position",
  snapshot: "snapshot_id",
  source: "price_source",
  system: "id_system"
}

export const exportName = (lakeName: string): string => renamed[lakeName] ?? lakeName

/** Columns that an export leaves out: lists are separate tables; refused records stay in the home with their pages. */
export const omitted: Readonly<Record<string, ReadonlyArray<string>>> = {
  expansions: ["languages"],
  refusals: ["record"],
  changes: ["to_snapshot"],
  price_moves: ["to_snapshot"],
  reconciliations: ["to_snapshot"]
}

/** Types of columns in tables whose headers have none; other columns of these tables are text. */
export const untypedColumns: Readonly<Record<string, string>> = {
  id: "bigint",
  item_id: "bigint",
  is_listed: "boolean"
}

/** Expressions that differ in a partition made from the history, by the lake's column names. */
export const outOfHistory: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  products: { price_extra: "always null: not known" },
  external_ids: { position: "position when sorted by finish and id; an id that the feed lists twice has one row" }
}

const lead = (lakeName: string, type: "VARCHAR" | "DATE" | "TIMESTAMP", comment: string) => ({
  name: exportName(lakeName),
  lakeName,
  type,
  since: firstContract,
  comment
})

/** The leading columns of exported rows, for loaders that cannot read paths. Exchange rates have only the first two. */
export const leadColumns = [
  lead("game_id", "VARCHAR", "the game's id"),
  lead("snapshot_date", "DATE", "the day of the reading, UTC: the dt of the path"),
  lead("snapshot", "VARCHAR", "the night; the run that made it"),
  lead("read_at", "TIMESTAMP", "when the reading was complete, UTC")
]
/** Their names. They are never null; in other key columns, null has a meaning. */
export const leadNames: ReadonlySet<string> = new Set(leadColumns.map(({ name }) => name))

/** Another program committed to the table between our read and our commit. */
export const commitConflict = (format: string, table: string) =>
  new Fault(
    "CommitLost",
    `Another program committed to the ${format} table ${table} at the same time. Its data was not changed. Run the command again`
  )

/** The table is not as Cardlake wrote it. `what` ends with the next step. */
export const tableUnfit = (format: string, table: string, what: string) =>
  new Fault("TableUnfit", `The ${format} table ${table} ${what}`)

export type TableFault = Fault<"CommitLost"> | DestinationFailed | Fault<"TableUnfit">

/** The column types of an export, which every warehouse supports. Times are UTC, in microseconds. */
export type DropType = "BOOLEAN" | "INT32" | "INT64" | "VARCHAR" | "DATE" | "TIMESTAMP" | `DECIMAL(${number},${number})`

export interface ExportColumn {
  readonly name: string
  readonly lakeName: string
  readonly type: DropType
  /** The column's id, from 1; it never changes. */
  readonly fieldId: number
  /** The first contract version that has it. */
  readonly since: number
  readonly unit: string | null
  readonly comment: string
}

export interface ExportTable {
  readonly name: string
  /** `all`: its rows belong to no game; `past`: to a game, but to no night. */
  readonly scope: "game" | "all" | "past"
  /** Increases if a column changes other than by being added; then `v=2` exists beside `v=1`. */
  readonly version: number
  readonly comment: string
  readonly key: ReadonlyArray<string>
  /** Conditions that every row satisfies, beside the unique key. */
  readonly checks: ReadonlyArray<string>
  readonly columns: ReadonlyArray<ExportColumn>
}

export const quoted = (name: string): string => `"${name}"`

/** The format of money and times: DECIMAL and TIMESTAMP, or exact text for readers that misread those. */
export type Decimals = "exact" | "text"

const ownTable = (name: string): TableFile => parseTableFile(ownText(new URL(`../tables/${name}.sql`, import.meta.url)))

export const expansionLanguages = ownTable("expansion_languages")
export const dropReusedIds = ownTable("reused_ids")
export const dropReadings = ownTable("readings")
export const dropRates = ownTable("fx_rates")
export const dropSources = ownTable("price_sources")
export const dropNights = ownTable("nights")
/** Tables with the results of backfills, which belong to a game but to no night. */
export const pastTables = ["backfilled_prices", "backfills", "backfill_refusals"].map(ownTable)

const sources: ReadonlyArray<TableFile> = [
  ...snapshotTables.flatMap((table) => (table.name === "expansions" ? [table, expansionLanguages] : [table])),
  ...nightlyTables,
  dropReusedIds,
  dropReadings,
  dropRates,
  dropSources,
  ...pastTables,
  dropNights
]

const types: Readonly<Record<string, DropType>> = {
  boolean: "BOOLEAN",
  integer: "INT32",
  bigint: "INT64",
  varchar: "VARCHAR",
  json: "VARCHAR",
  date: "DATE",
  timestamptz: "TIMESTAMP",
  "decimal(18, 4)": "DECIMAL(18,4)",
  "decimal(18, 6)": "DECIMAL(18,6)",
  "decimal(12, 4)": "DECIMAL(12,4)"
}

/** Returns the export's type of a column. Any other type is a defect. */
const chooseType = ({ name, type }: Column): DropType => {
  const found = types[type === "" ? (untypedColumns[name] ?? "varchar") : type]
  if (found === undefined) throw new Error(`Type ${type} of ${name} has no mapping to warehouse types`)
  return found
}

export const unitOfRates = "units of the currency for one EUR"

const chooseUnit = (type: DropType): string | null => {
  if (type === "DECIMAL(12,4)") return "percent"
  if (type === "DECIMAL(18,4)") return "currency, major unit"
  if (type === "DECIMAL(18,6)") return unitOfRates
  return type === "TIMESTAMP" ? "UTC" : null
}

const fullComment = (table: TableFile, { comment, name, type }: Column): string => {
  const otherwise = outOfHistory[table.name]?.[name]
  return [
    comment,
    ...(type === "json" ? ["as text"] : []),
    ...(otherwise === undefined ? [] : [`in a partition made from the history ${otherwise}`])
  ].join("; ")
}

const chooseScope = ({ name }: TableFile): ExportTable["scope"] => {
  if (pastTables.some((past) => past.name === name)) return "past"
  return name === dropRates.name || name === dropSources.name ? "all" : "game"
}

/** Returns the lead columns of a table; a table without nights has only those in its header. */
const chooseLeads = (table: TableFile): typeof leadColumns =>
  chooseScope(table) !== "game"
    ? leadColumns.flatMap((lead) => {
        const own = table.columns.find(({ name }) => exportName(name) === lead.name)
        return own === undefined ? [] : [{ ...lead, comment: own.comment }]
      })
    : leadColumns

/** Returns the columns in order of contract version, so that ids and positions never change. */
const listColumns = (table: TableFile, decimals: Decimals): ReadonlyArray<ExportColumn> => {
  const left = new Set([...leadColumns.map(({ lakeName }) => lakeName), ...(omitted[table.name] ?? [])])
  const own = table.columns.filter(({ name }) => !left.has(name)).toSorted((a, b) => a.since - b.since)
  const named = own.map((column) => ({
    name: exportName(column.name),
    lakeName: column.name,
    type: chooseType(column),
    since: column.since,
    comment: fullComment(table, column)
  }))
  return [...chooseLeads(table), ...named].map(({ comment, lakeName, name, since, type }, index) => ({
    name,
    lakeName,
    type: decimals === "text" && /^(DECIMAL|TIMESTAMP)/.test(type) ? "VARCHAR" : type,
    fieldId: index + 1,
    since,
    unit: chooseUnit(type),
    comment
  }))
}

const keyColumns = (table: TableFile): ReadonlyArray<string> => {
  const own = table.grain.replaceAll(/[()]/g, "").split(", ")
  if (chooseScope(table) !== "game") return own.map(exportName)
  return ["game_id", "snapshot", ...own.filter((name) => !["game_id", "snapshot", "to_snapshot"].includes(name))].map(
    exportName
  )
}

/** Returns the checks of a table's header with the export's names. What is text in this export is compared as its number. */
const listChecks = (table: TableFile, decimals: Decimals): ReadonlyArray<string> => {
  const left = new Set(omitted[table.name] ?? [])
  const named = table.columns.filter(({ name }) => !left.has(name))
  return table.checks
    .filter((check) => !check.endsWith(" is unique"))
    .map((check) =>
      named.reduce((text, { name, type }) => {
        const isText = decimals === "text" && type.startsWith("decimal")
        const column = isText ? `cast(${exportName(name)} as ${type})` : exportName(name)
        return text.replace(new RegExp(`\\b${name}\\b(?= )`), column)
      }, check)
    )
}

/** Returns all tables of an export, derived from the headers of the lake's tables. */
export const exportTables = (decimals: Decimals): ReadonlyArray<ExportTable> =>
  sources.map((table) => {
    const key = keyColumns(table)
    return {
      name: table.name,
      scope: chooseScope(table),
      version: 1,
      comment: table.comment.replace(`One row per ${table.grain}.`, `One row per (${key.join(", ")}).`),
      key,
      checks: listChecks(table, decimals),
      columns: listColumns(table, decimals)
    }
  })

/** The last table of a day to be written; its existence shows that the day is complete. */
export const nightsName = dropNights.name

/** True if a table derives from all nights. Its rows are written by day, even on days without a night. */
export const isOfHistory = ({ name }: Pick<ExportTable, "name">): boolean =>
  name === dropReadings.name || name === dropReusedIds.name || pastTables.some((past) => past.name === name)
