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

/** The contract version that is written. Files of earlier versions are converted when read. */
export const contractVersion = newestVersion(snapshotTables)

/** Returns a table of a snapshot. Throws on an unknown name, which is a defect. */
export const tableNamed = (name: string): TableFile => {
  const found = snapshotTables.find((table) => table.name === name)
  if (found === undefined) throw new Error(`There is no table ${name}`)
  return found
}

/** The tables that are equal in two readings of one feed state. Their equality makes a night `unchanged`. */
export const catalogueTables: ReadonlySet<string> = new Set(
  snapshotTables.map((table) => table.name).filter((name) => !["deployments", "deployment_changes"].includes(name))
)
