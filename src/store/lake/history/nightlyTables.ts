import { join } from "node:path"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { keyColumns, tableFile, type Column, type TableFile } from "../../../feed/schema/tableFile.ts"
import { sqlText } from "../duckdb/Lake.ts"
import { currentRows, noRows } from "../snapshot/snapshotRows.ts"

const published = (name: string) => tableFile(new URL(`../published/${name}.sql`, import.meta.url))

/** The tables of a snapshot whose rows are prices. */
export const tablesOfPrices = snapshotTables.filter(({ columns }) => columns.some(({ name }) => name === "is_listed"))

const isFigure = (table: TableFile, { isDerived, isVersioned, name, type }: Column) =>
  isVersioned && !isDerived && type !== "" && name !== "game_id" && !keyColumns(table).includes(name)

const figures = new Map(
  tablesOfPrices.flatMap((table) =>
    table.columns.filter((column) => isFigure(table, column)).map((column) => [column.name, column] as const)
  )
)

/** Returns the column of a figure's value before it moved. */
export const before = (column: Column): Column => ({
  ...column,
  name: `old_${column.name}`,
  formerly: column.formerly === null ? null : { ...column.formerly, name: `old_${column.formerly.name}` },
  comment: `${column.name} before`
})

const keysOfMoves = published("price_moves")

/** The header's columns, then each figure of the contract before and after. */
export const priceMoves: TableFile = {
  ...keysOfMoves,
  columns: [
    ...keysOfMoves.columns,
    ...[...figures.values()].flatMap((column) => [before(column), { ...column, comment: `${column.name} after` }])
  ]
}

/** Views over the Parquet of every night's changes. */
export const nightlyTables = [published("changes"), priceMoves, published("reconciliations")]

/** A folder with a night's changes, and the contract version of its snapshot. */
export interface NightlyFolder {
  readonly folder: string
  readonly contractVersion: number
}

/** Returns the files of a night's changes that have a table's rows. */
export const nightlyFiles = (table: string): ReadonlyArray<string> =>
  table === "changes" ? ["catalogue_changes", "price_moves"] : [table]

/** Returns SQL of a table's rows of these nights, with current columns. */
export const nightlyRows = ({ columns, name }: TableFile, nights: ReadonlyArray<NightlyFolder>): string => {
  if (nights.length === 0) return noRows(columns)
  const files = (file: string) =>
    nights.map(({ contractVersion, folder }) => ({ file: join(folder, `${file}.parquet`), contractVersion }))
  const moves = (current = priceMoves.columns) => `from ${currentRows(current, files("price_moves"))}`
  if (name === "price_moves") return moves(columns)
  const read = (file: string) =>
    `from read_parquet([${files(file)
      .map((one) => sqlText(one.file))
      .join(", ")}], hive_partitioning = false)`
  return name === "changes" ? changesAsText(read("catalogue_changes"), moves()) : read(name)
}

/** Decimals lose trailing zeros: 14.9900 becomes 14.99, 100.0000 becomes 100. */
const asText = (name: string, type: string) =>
  type.startsWith("decimal") ? `rtrim(rtrim(${name}::varchar, '0'), '.')` : `${name}::varchar`

const perFigure = (sql: (column: Column) => string): string =>
  `case figure ${[...figures.values()].map((column, place) => `when ${place} then ${sql(column)}`).join(" ")} end`

const moved = [...figures.keys()].map((name, place) => `if(old_${name} is distinct from ${name}, ${place}, null)`)

/** Returns SQL of table `changes`, a row per field and figure. Only figures that moved become text. */
export const changesAsText = (catalogue: string, moves: string): string => `
  select game_id, from_snapshot, to_snapshot, entity, id, change, 'catalogue' as class, field, old, new from (${catalogue})
  union all
  select
    game_id, from_snapshot, to_snapshot, 'product', product_id, 'modified', 'price',
    concat_ws('.', 'prices', finish, if(finish is null, null, coalesce(source, 'marketplace')), region, condition, language,
      ${perFigure(({ name }) => `'${name}'`)}),
    ${perFigure(({ name, type }) => asText(`old_${name}`, type))},
    ${perFigure(({ name, type }) => asText(name, type))}
  from (select *, unnest([${moved.join(", ")}]) as figure from (${moves}))
  where figure is not null`
