import { keyColumns, type Column, type TableFile } from "../../../feed/schema/tableFile.ts"
import { snapshotTables, tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { tablesOfPrices } from "../history/nightlyTables.ts"

/** Returns the columns of a table's rows that entries have. A percentage of the feed moves with every day. */
const valueColumns = ({ columns }: TableFile, without: ReadonlyArray<string>): ReadonlyArray<Column> =>
  columns.filter(({ isDerived, name, type }) => type !== "" && !isDerived && !["game_id", ...without].includes(name))

const entity = <E extends string>(name: E, table: string, key: string) => ({
  entity: name,
  table: tableNamed(table),
  /** The column that is the entry's `id`; `game_id` for a game, whose entries have none. */
  key,
  fields: valueColumns(tableNamed(table), [key])
})

/** Items of the feed of changes with their tables, in the order of their entries. */
export const entities = [
  entity("game", "games", "game_id"),
  entity("expansion", "expansions", "expansion_id"),
  entity("product", "products", "product_id")
] as const

export type Entity = (typeof entities)[number]

const list = (table: string, field: string, order = "position") => ({
  table: tableNamed(table),
  /** The name of the list in entries. */
  field,
  order,
  columns: valueColumns(tableNamed(table), ["product_id", "position"])
})

/** Tables whose rows are a list of each product. An entry has the whole list, in order. */
export const listTables = [
  list("product_languages", "languages"),
  list("product_finishes", "finishes"),
  list("external_ids", "external_ids", "system, position"),
  list("translations", "translations", "language")
]

/** Tables of prices: an entry has the values of its keys, and a figure before and after. */
export const priceTables = tablesOfPrices.map((table) => {
  const keys = keyColumns(table).filter((key) => key !== "product_id")
  const columns = valueColumns(table, ["product_id"])
  return { table, keys, columns, figures: columns.filter(({ name }) => !keys.includes(name)) }
})

/** The tables that the feed of changes follows, in the order of the schema. */
export const changedTables: ReadonlyArray<TableFile> = snapshotTables.filter((one) =>
  [...entities, ...listTables, ...priceTables].some(({ table }) => table === one)
)
