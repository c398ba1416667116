import { Effect } from "effect"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { type ExportColumn, type ExportTable, unitOfRates, quoted } from "./exportTables.ts"

export interface ColumnStatistics {
  readonly column: ExportColumn
  readonly compressedBytes: number
  readonly values: number
  readonly nulls: number
  /** A text, or an integer: days, microseconds or unscaled decimal digits; null = no values, or unknown. */
  readonly least: string | null
  readonly greatest: string | null
}

/** Returns a statistic as a text or an integer, so that those of several row groups compare correctly. */
const comparable = ({ type }: ExportColumn, statistic: string): string => {
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

/** Reads a Parquet file's statistics from its footer, without any rows. */
export const fileStatistics = Effect.fnUntraced(function* (session: Session, table: ExportTable, file: string) {
  const parts = `parquet_metadata(${sqlText(file)})`
  const ofColumn = (column: ExportColumn) => `select ${column.fieldId} as id,
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
  const asText = (value: unknown) => (typeof value === "string" ? value : null)
  const columns = rows.flatMap((row): ReadonlyArray<ColumnStatistics> => {
    const column = table.columns.find(({ fieldId }) => fieldId === row["id"])
    if (column === undefined) return []
    const isKnown = row["is_known"] === true
    return [
      {
        column,
        compressedBytes: Number(row["size"] ?? 0),
        values: Number(row["n"] ?? 0),
        nulls: Number(row["nulls"] ?? 0),
        least: isKnown ? asText(row["least"]) : null,
        greatest: isKnown ? asText(row["greatest"]) : null
      }
    ]
  })
  return { columns, splits: groups.map(({ begins }) => Number(begins)) }
})

export type FileStatistics = Effect.Success<ReturnType<typeof fileStatistics>>

/** Returns the first characters of a text, which is a lower bound of it. */
export const lowerText = (text: string, most: number): string => Array.from(text).slice(0, most).join("")

/** Returns the smallest text with at most `most` characters that is not below the given one; null = there is none. */
export const upperText = (text: string, most: number): string | null => {
  const letters = Array.from(text)
  if (letters.length <= most) return text
  for (let last = most - 1; last >= 0; last--) {
    const code = letters[last]?.codePointAt(0) ?? 0
    // The range between these has surrogate halves, which are no characters.
    const next = code === 0xd7ff ? 0xe000 : code + 1
    if (next <= 0x10ffff) return letters.slice(0, last).join("") + String.fromCodePoint(next)
  }
  return null
}

/** True for money, percentages, rates and counts, which verification sums; also if written as text. */
const isFigure = (table: ExportTable, { name, type, unit }: ExportColumn): boolean =>
  unit === "percent" ||
  unit === "currency, major unit" ||
  unit === unitOfRates ||
  (type === "INT64" && !table.key.includes(name) && !/(^|_)id$|^sequence$/.test(name))

/** Returns exact sums of a file's numeric columns, as text; null = no row has a value. */
export const figureSums = Effect.fnUntraced(function* (session: Session, table: ExportTable, file: string) {
  const figures = table.columns.filter((column) => isFigure(table, column))
  if (figures.length === 0) return {}
  const sums = figures.map(({ name, type, unit }) => {
    const places = unit === unitOfRates ? 6 : 4
    const exact = type === "VARCHAR" ? `${quoted(name)}::decimal(18, ${places})` : quoted(name)
    return `sum(${exact})::varchar as ${quoted(name)}`
  })
  const [row] = yield* session.rows(
    `Sum up ${table.name}`,
    `select ${sums.join(", ")} from read_parquet(${sqlText(file)}, hive_partitioning = false)`
  )
  return Object.fromEntries(
    figures.map(({ name }) => {
      const sum = row?.[name]
      return [name, sum === null || sum === undefined ? null : String(sum)] as const
    })
  )
})
