import { sqlFile, tableFile } from "./tableFile.ts"

export const nightsTable = tableFile("history/nights.sql")

/** Views over all nights. */
export const historyViews = [
  "source_price_history",
  "marketplace_price_history",
  "product_history",
  "expansion_history",
  "external_id_history"
].map((name) => tableFile(`history/${name}.sql`))

/** Questions with parameters, as table macros. */
export const historyMacros = ["as_of", "price_series"].map((name) => sqlFile(`macros/${name}.sql`)).join("\n")
