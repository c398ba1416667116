import { newestVersion, tableFile, type TableFile } from "./tableFile.ts"

/** Tables of a snapshot in the order they are written: a table reads only those above it. */
export const snapshotTables: ReadonlyArray<TableFile> = [
  "games",
  "expansions",
  "products",
  "product_languages",
  "product_finishes",
  "external_ids",
  "translations",
  "source_prices",
  "source_price_conditions",
  "marketplace_prices",
  "marketplace_price_conditions",
  "deployments",
  "deployment_changes",
  "refusals",
  "drift"
].map((name) => tableFile(new URL(`./tables/${name}.sql`, import.meta.url)))

/** The contract version that is written. Files of earlier ones are read as if they were written today. */
export const contractVersion = newestVersion(snapshotTables)

/** A table of a snapshot. Throws on another name: a fault of the program. */
export const tableNamed = (name: string): TableFile => {
  const found = snapshotTables.find((table) => table.name === name)
  if (found === undefined) throw new Error(`There is no table ${name}`)
  return found
}

/** What two readings of the same feed state have in common: the tables whose equality makes a night `unchanged`. */
export const catalogueTables: ReadonlySet<string> = new Set(
  snapshotTables.map((table) => table.name).filter((name) => !["deployments", "deployment_changes"].includes(name))
)
