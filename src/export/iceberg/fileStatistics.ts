import { Effect } from "effect"
import type { Session } from "../../lake/duckdb/Lake.ts"
import { sqlText } from "../../lake/duckdb/sqlText.ts"
import type { DropColumn, DropTable } from "../drop/dropTables.ts"
import { boundBytes } from "./boundBytes.ts"

/** Of every column by its id, and where the file's row groups begin. */
export interface FileStatistics {
  readonly sizes: ReadonlyArray<KeyValue<number>>
  readonly values: ReadonlyArray<KeyValue<number>>
  readonly nulls: ReadonlyArray<KeyValue<number>>
  readonly lower: ReadonlyArray<KeyValue<Buffer>>
  readonly upper: ReadonlyArray<KeyValue<Buffer>>
  readonly splits: ReadonlyArray<number>
}

/** An entry of a map, in Avro's form for keys that are not texts. */
export interface KeyValue<A> {
  readonly key: number
  readonly value: A
}

/** A statistic as a text or a whole number, so that those of several row groups compare as their type does. */
const comparable = ({ type }: DropColumn, statistic: string): string => {
  const [, digits, places] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []
  if (digits !== undefined)
    return `(${statistic}::decimal(${digits}, ${places})::decimal(38, ${places}) * 1${"0".repeat(Number(places))})::hugeint`
  switch (type) {
    case "VARCHAR":
      return statistic
    case "BOOLEAN":
      return `(${statistic} = 'true')::integer`
    case "DATE":
      return `(${statistic}::date - date '1970-01-01')`
    case "TIMESTAMP":
      return `epoch_us(${statistic}::timestamptz)`
    default:
      return `${statistic}::bigint`
  }
}

/** Reads a Parquet file's own statistics, from its last bytes only. A column without them gets no bounds. */
export const fileStatistics = Effect.fnUntraced(function* (session: Session, table: DropTable, file: string) {
  const parts = `parquet_metadata(${sqlText(file)})`
  const ofColumn = (column: DropColumn) => `select ${column.fieldId} as id,
    sum(total_compressed_size)::double as size, sum(num_values)::double as n, sum(stats_null_count)::double as nulls,
    bool_and(stats_min_value is not null or stats_null_count = num_values) as is_known,
    min(${comparable(column, "stats_min_value")})::varchar as least, max(${comparable(column, "stats_max_value")})::varchar as greatest
    from parts where path_in_schema = ${sqlText(column.name)} having count(*) > 0`
  const rows = yield* session.rows(
    `Read the statistics of ${table.name}`,
    `with parts as materialized (from ${parts}) ${table.columns.map(ofColumn).join(" union all ")} order by id`
  )
  const groups = yield* session.rows(
    `Read the row groups of ${table.name}`,
    `select min(least(dictionary_page_offset, data_page_offset))::double as begins from ${parts} group by row_group_id order by begins`
  )
  const bounds = (side: "lower" | "upper") =>
    rows.flatMap(({ greatest, id, is_known: isKnown, least }) => {
      const value = side === "lower" ? least : greatest
      const column = table.columns.find(({ fieldId }) => fieldId === id)
      if (column === undefined || isKnown !== true || typeof value !== "string") return []
      const bytes = boundBytes(column.type, side, value)
      return bytes === null ? [] : [{ key: column.fieldId, value: bytes }]
    })
  const counts = (name: string) => rows.map((row) => ({ key: Number(row["id"]), value: Number(row[name] ?? 0) }))
  return {
    sizes: counts("size"),
    values: counts("n"),
    nulls: counts("nulls"),
    lower: bounds("lower"),
    upper: bounds("upper"),
    splits: groups.map(({ begins }) => Number(begins))
  } satisfies FileStatistics
})
