import { tableNamed } from "../load/snapshotTables.ts"
import type { Column } from "../duckdb/tableFile.ts"

const more = (...columns: ReadonlyArray<readonly [name: string, type: string]>): ReadonlyArray<Column> =>
  columns.map(([name, type]) => ({
    name,
    type,
    since: 1,
    formerly: null,
    from: null,
    isRetired: false,
    isVersioned: true,
    comment: ""
  }))
const change = more(["change", "varchar"], ["changed", "varchar[]"])
const ids = tableNamed("external_ids").columns.filter(({ name }) => name !== "position")
const versioned = tableNamed("products").columns.filter(({ isVersioned }) => isVersioned)
const lists = more(["languages", "varchar[]"], ["finishes", "varchar[]"])

/**
 * The files of a month's part, their columns and how they are sorted within a night. Those of prices
 * replace the nights' own files; those of versions are copies of what is beside each night's changes.
 */
export const partTables = [
  {
    name: "source_prices",
    columns: tableNamed("source_prices").columns,
    order: "product_id, finish, source",
    entity: null
  },
  {
    name: "marketplace_prices",
    columns: tableNamed("marketplace_prices").columns,
    order: "product_id, finish, region nulls first",
    entity: null
  },
  {
    name: "product_versions",
    columns: [...versioned, ...lists, ...change],
    order: "product_id",
    entity: "product"
  },
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
] as const
export type PartTable = (typeof partTables)[number]

/** The tables whose files are removed from a snapshot once its month's part has them. */
export const priceTables = partTables.filter(({ entity }) => entity === null)
