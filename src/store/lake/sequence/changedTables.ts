import { keyColumns, type Column, type TableFile } from "../../../feed/schema/tableFile.ts"
import { snapshotTables, tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { tablesOfPrices } from "../history/nightlyTables.ts"

/** Returns the columns of a table's rows that entries have. A percentage of the feed moves with every day. */
const valueColumns = ({ columns }: TableFile, without: ReadonlyArray<string>): ReadonlyArray<Column> =>
  columns.filter(({ isDerived, name, type }) => type !== "" && !isDerived && !["game_id", ...without].includes(name))

/** An item of the feed of changes: its table, and the columns whose values its entries have. */
export interface Entity {
  readonly entity: "game" | "expansion" | "product"
  readonly table: TableFile
  /** Null for a game, whose id is the entry's `game_id`. */
  readonly id: string | null
  readonly fields: ReadonlyArray<Column>
}

const entity = (name: Entity["entity"], table: string, id: string | null): Entity => ({
  entity: name,
  table: tableNamed(table),
  id,
  fields: valueColumns(tableNamed(table), id === null ? [] : [id])
})

/** In the order of their entries. */
export const entities = [
  entity("game", "games", null),
  entity("expansion", "expansions", "expansion_id"),
  entity("product", "products", "product_id")
]

/** A table whose rows are a list of each product. An entry has the whole list, in order. */
export interface ListTable {
  readonly table: TableFile
  /** The name of the list in entries. */
  readonly field: string
  readonly columns: ReadonlyArray<Column>
}

export const listTables: ReadonlyArray<ListTable> = (
  [
    ["product_languages", "languages"],
    ["product_finishes", "finishes"],
    ["external_ids", "external_ids"],
    ["translations", "translations"]
  ] as const
).map(([name, field]) => ({
  table: tableNamed(name),
  field,
  columns: valueColumns(tableNamed(name), ["product_id", "position"])
}))

/** A table of prices: an entry has the values of its keys, and a figure before and after. */
export interface PriceTable {
  readonly table: TableFile
  readonly keys: ReadonlyArray<string>
  readonly figures: ReadonlyArray<Column>
}

export const priceTables: ReadonlyArray<PriceTable> = tablesOfPrices.map((table) => {
  const keys = keyColumns(table).filter((key) => key !== "product_id")
  return { table, keys, figures: valueColumns(table, ["product_id", ...keys]) }
})

/** The tables that the feed of changes follows, in the order of the schema. */
export const changedTables: ReadonlyArray<TableFile> = snapshotTables.filter((one) =>
  [...entities, ...listTables, ...priceTables].some(({ table }) => table === one)
)
