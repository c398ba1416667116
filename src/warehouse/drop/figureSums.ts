import { Effect } from "effect"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { unitOfRates, type ExportColumn, type ExportTable, quoted } from "./exportTables.ts"

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
