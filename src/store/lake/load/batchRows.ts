import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Road } from "../../../feed/contract/Road.ts"
import { batchedColumns } from "../../../feed/rows/batch/TableBatch.ts"
import { feedFolders } from "../../../feed/rows/shredRound.ts"
import { priceLines } from "../../../feed/rows/shredLines.ts"
import { tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { sqlFile, type TableFile } from "../../../feed/schema/tableFile.ts"
import { sqlText } from "../duckdb/Lake.ts"

/** Where a game's batches are, and by which road they came. */
export interface BatchesOf {
  readonly gameId: string
  readonly batches: string
  readonly road: Road
}

const folders = ["", ...Object.values(feedFolders)]

/** Rows of a table as they were shredded, with all its columns, in no order. */
const shreddedRows = (
  { columns, name }: Pick<TableFile, "columns" | "name">,
  { batches, gameId }: BatchesOf
): string => {
  const batched = new Set(batchedColumns(columns))
  const found = folders.map((folder) => join(batches, folder, name)).filter((folder) => existsSync(folder))
  const hasRows = found.length > 0
  const selected = columns
    .filter(({ type }) => type !== "")
    .map((column) => {
      if (column.name === "game_id") return `${sqlText(gameId)} as game_id`
      return hasRows && batched.has(column) ? column.name : `null::${column.type} as ${column.name}`
    })
  // One by one: in a pattern, a bracket in the home's name would be one, too.
  const files = found.flatMap((folder) => readdirSync(folder).map((name) => sqlText(join(folder, name))))
  const from = hasRows ? `from read_parquet([${files.join(", ")}], hive_partitioning = false)` : "where false"
  return `select ${selected.join(", ")} ${from}`
}

const ofFeeds = (name: string): string => sqlFile(new URL(`./${name}.sql`, import.meta.url))

/** What the load does to the rows of feed files, by table. */
const joined: Readonly<Record<string, string>> = {
  products: ofFeeds("feedProducts"),
  source_prices: ofFeeds("feedPrices"),
  source_price_conditions: ofFeeds("feedPrices"),
  marketplace_prices: ofFeeds("feedPrices"),
  marketplace_price_conditions: ofFeeds("feedPrices"),
  drift: ofFeeds("feedDrift")
}

const view = (name: string, rows: string): string => `create or replace temp view ${name} as ${rows}`

/** SQL that makes a table's rows the view `batch`. Feed files tell of a product apart, so their rows are joined here. */
export const openBatch = (table: TableFile, of: BatchesOf): string => {
  const own = shreddedRows(table, of)
  const join = of.road === "feeds" ? joined[table.name] : undefined
  if (join === undefined) return view("batch", own)
  return [
    view("batch_products", shreddedRows(tableNamed("products"), of)),
    view("batch_expansions", shreddedRows(tableNamed("expansions"), of)),
    view("batch_price_lines", shreddedRows(priceLines, of)),
    view("own_rows", own),
    view("batch", join)
  ].join(";\n")
}
