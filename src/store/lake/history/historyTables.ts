import { tableNamed, snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { tableFile, type TableFile } from "../../../feed/schema/tableFile.ts"
import { nightlyTables } from "./nightlyTables.ts"

/** Expands `*: as in` of a view's header into the columns of that table, with their descriptions. */
const spelledOut = (view: TableFile): TableFile => {
  const [, of] = /^as in (\w+)$/.exec(view.columns.find(({ name }) => name === "*")?.comment ?? "") ?? []
  if (of === undefined) return view
  const described = new Set(view.columns.map(({ name }) => name))
  const others = tableNamed(of).columns.filter(
    ({ isVersioned, name, type }) => type !== "" && isVersioned && !described.has(name)
  )
  return { ...view, columns: view.columns.flatMap((column) => (column.name === "*" ? others : [column])) }
}

const files = (folder: string, names: ReadonlyArray<string>) =>
  names.map((name) => tableFile(new URL(`../${folder}/${name}.sql`, import.meta.url)))

export const nightsTable = tableFile(new URL("./nights.sql", import.meta.url))
export const readingsTable = tableFile(new URL("./readings.sql", import.meta.url))
export const reusedIdsTable = tableFile(new URL("./reused_ids.sql", import.meta.url))

/** Views over all nights, then questions over them and the current tables. Each reads only views above it. */
export const historyViews = [
  ...files("history", [
    "backfilled_prices",
    "backfills",
    "backfill_refusals",
    "source_price_history",
    "marketplace_price_history",
    "product_history",
    "expansion_history",
    "external_id_history"
  ]).map(spelledOut),
  ...files("views", [
    "fx_daily",
    "price_spreads",
    "source_against_source",
    "finish_premiums",
    "condition_ladder",
    "set_values",
    "set_values_by_finish",
    "set_values_by_rarity",
    "sealed_against_singles",
    "price_coverage",
    "id_audit",
    "backfill_against_nights"
  ])
]

/** Questions with parameters, as table macros. Each calls only macros above it. */
export const macros = files("macros", [
  "nights_at",
  "products_at",
  "expansions_at",
  "external_ids_at",
  "prices_at",
  "marketplace_prices_at",
  "price_coverage_at",
  "price_series",
  "price_series_in",
  "price_extremes",
  "price_trust",
  "movers",
  "price_check",
  "volatility",
  "set_value_series",
  "release_decay",
  "offers_in",
  "regional_spreads",
  "source_against_marketplace",
  "find_products"
])

/** Tables built from manifests. */
export const ledgers = files("published", ["snapshots", "quality_checks"])
/** Built from `current.json`. */
export const publicationsTable = tableFile(new URL("../published/publications.sql", import.meta.url))
export const runsTable = tableFile(new URL("../published/runs.sql", import.meta.url))
export const ratesTable = tableFile(new URL("../published/fx_rates.sql", import.meta.url))
/** Built after `readings`, whose last row decides which names count. */
export const sourcesTable = tableFile(new URL("../published/price_sources.sql", import.meta.url))

/** Tables and views of a lake outside of its snapshots and history. */
export const publishedTables = [...ledgers, publicationsTable, runsTable, ratesTable, sourcesTable, ...nightlyTables]

/** SQL files of everything in a lake that can be queried. */
export const lakeFiles: ReadonlyArray<readonly ["table" | "view" | "macro", ReadonlyArray<TableFile>]> = [
  ["table", [...snapshotTables, ...publishedTables, nightsTable, readingsTable, reusedIdsTable]],
  ["view", historyViews],
  ["macro", macros]
]
