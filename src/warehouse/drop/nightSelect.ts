import { sqlText, withoutNul } from "../../store/lake/duckdb/Lake.ts"
import type { ExportColumn, ExportTable } from "./exportTables.ts"

const duckdbTypes: Readonly<Record<string, string>> = { INT32: "integer", INT64: "bigint", TIMESTAMP: "timestamptz" }

/** What DuckDB calls a type of a drop. */
export const duckdbType = ({ type }: ExportColumn): string => duckdbTypes[type] ?? type

/** A night of a day, and the SQL of a table's rows in it. */
export interface NightSelect {
  /** Null: the rows belong to no night. */
  readonly snapshot: string | null
  readonly seenAt: string
  readonly sql: string
  /** The file that they come from in the order of the table's key; null = they are to be sorted. */
  readonly sortedFile: string | null
}

const quoted = (name: string) => `"${name}"`

/** A time as text is ISO 8601; of other texts every engine can store every character. */
const valueOf = (column: ExportColumn): string => {
  if (column.type === "VARCHAR" && column.unit === "UTC")
    return `strftime(${quoted(column.lakeName)}::timestamptz, '%Y-%m-%dT%H:%M:%S.%fZ')`
  const value = `${quoted(column.lakeName)}::${duckdbType(column)}`
  return column.type === "VARCHAR" ? withoutNul(value) : value
}

/**
 * SQL of a partition: a table's rows of a day's nights, with the columns and types of the drop; in the order of its
 * key where `isSorted`.
 */
export const partitionSelect = (table: ExportTable, nights: ReadonlyArray<NightSelect>, isSorted: boolean): string => {
  const columns = table.columns.map((column) => `${valueOf(column)} as ${quoted(column.name)}`)
  if (nights.length === 0) {
    const nothing = table.columns.map((column) => `null::${duckdbType(column)} as ${quoted(column.name)}`)
    return `select ${nothing.join(", ")} where false`
  }
  const selects = nights.map(
    ({ seenAt, snapshot, sql }) =>
      `select ${columns.join(", ")} from (
         select r.*, ${sqlText(seenAt.slice(0, 10))} as snapshot_date, ${snapshot === null ? "null" : sqlText(snapshot)} as snapshot, ${sqlText(seenAt)} as read_at
         from (${sql}
         ) r
       )`
  )
  // Within one night its id is the same in every row, and comparing such a text would take half the sorting time.
  const key = table.key.slice(nights.length > 1 ? 1 : 2)
  const order = key.length === 0 || !isSorted ? "" : ` order by ${key.map(quoted).join(", ")}`
  return `from (${selects.join("\nunion all\n")})${order}`
}
