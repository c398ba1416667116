/**
 * The files of a month's part and how they are sorted within a night. Those of prices stand for the nights' own files; those of
 * versions are copies of what lies with each night's changes. `columns` are those that are read of a part, null = all: parts that hold a first
 * night once had a column `changed` of their ids, which are never changed.
 */
export const partTables = [
  { name: "source_prices", order: "product_id, finish, source", entity: null, columns: null },
  { name: "marketplace_prices", order: "product_id, finish, region nulls first", entity: null, columns: null },
  { name: "product_versions", order: "product_id", entity: "product", columns: null },
  { name: "expansion_versions", order: "expansion_id", entity: "expansion", columns: null },
  {
    name: "external_id_versions",
    order: "product_id, system, finish, external_id",
    entity: "external_id",
    columns: "product_id, system, finish, external_id, change, snapshot, month"
  }
] as const
export type PartTable = (typeof partTables)[number]

/** The tables whose files leave a snapshot once its month's part holds them. */
export const priceTables = partTables.filter(({ entity }) => entity === null)
