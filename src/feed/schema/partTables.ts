import { snapshotTables, tableNamed } from "./snapshotTables.ts"
import { plainColumn, rowOrder, type Column } from "./tableFile.ts"

const more = (...columns: ReadonlyArray<readonly [name: string, type: string]>): ReadonlyArray<Column> =>
  columns.map(([name, type]) => plainColumn(name, type))
const change = more(["change", "varchar"], ["changed", "varchar[]"])
const ids = tableNamed("external_ids").columns.filter(({ name }) => name !== "position")
const versioned = tableNamed("products").columns.filter(({ isVersioned }) => isVersioned)
const lists = more(["languages", "varchar[]"], ["finishes", "varchar[]"])

/** A table's file in a part. A part is one folder that holds several nights of a month. */
export interface PartTable {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** The sort order within a night. */
  readonly order: string
  /** The entity whose versions it has; null if it has the prices of every night. */
  readonly entity: "product" | "expansion" | "external_id" | null
}

/** The tables whose files are removed from a snapshot once its month's part has them. */
export const priceTables: ReadonlyArray<PartTable> = snapshotTables
  .filter(({ history }) => history === "prices")
  .map((table) => ({ name: table.name, columns: table.columns, order: rowOrder(table), entity: null }))

const versionTables: ReadonlyArray<PartTable> = [
  { name: "product_versions", columns: [...versioned, ...lists, ...change], order: "product_id", entity: "product" },
  {
    name: "expansion_versions",
    columns: [...tableNamed("expansions").columns, ...change],
    order: "expansion_id",
    entity: "expansion"
  },
  {
    name: "external_id_versions",
    columns: [...ids, ...more(["change", "varchar"])],
    order: "product_id, system, finish, external_id",
    entity: "external_id"
  }
]

/** The files of a month's part. Price files replace the nights' files; version files are copies of the nights'. */
export const partTables = [...priceTables, ...versionTables]

/** The tables of a game's first night that its history reads. For later nights it reads the versions. */
export const firstTables = snapshotTables.flatMap(({ history, name }) =>
  history === "" || history === "prices" ? [] : [name]
)
