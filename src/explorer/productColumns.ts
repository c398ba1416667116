import type { Column } from "./dataTable.ts"
import { day } from "./figures.ts"
import type { Row } from "./LakeReader.ts"
import { linkedSources, sourceColumn } from "./sourceColumns.ts"
import type { SourceNames } from "./sourceNames.ts"

/** Columns of the tables on a product's page. */
export const priceColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  linkedSources(sources, "source"),
  { name: "finish", label: "finish" },
  { name: "market_value", label: "market value", shape: "price" },
  { name: "low", label: "low", shape: "price" },
  { name: "mid", label: "mid", shape: "price" },
  { name: "high", label: "high", shape: "price" },
  { name: "change_24h", label: "24 h", shape: "percent" },
  { name: "change_7d", label: "7 d", shape: "percent" },
  { name: "change_30d", label: "30 d", shape: "percent" },
  { name: "ever_high", label: "highest ever", shape: "price" },
  { name: "high_at", label: "on", shape: "day", shows: (row) => dayOf(row["high_at"], row["high_origin"]) },
  { name: "ever_low", label: "lowest ever", shape: "price" },
  { name: "low_at", label: "on", shape: "day", shows: (row) => dayOf(row["low_at"], row["low_origin"]) }
]

/** Says so if the day is not one of ours. */
const dayOf = (at: Row[string] | undefined, origin: Row[string] | undefined): string =>
  `${day(at)}${origin === "history" ? " (history)" : ""}`

export const listingColumns: ReadonlyArray<Column> = [
  { name: "region", label: "region", shape: "code" },
  { name: "finish", label: "finish" },
  { name: "low", label: "lowest", shape: "price" },
  { name: "listing_count", label: "listings", shape: "count" },
  { name: "available_quantity", label: "pieces", shape: "count" }
]

export const conditionColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  sourceColumn(sources, "place", "where"),
  { name: "finish", label: "finish" },
  { name: "condition", label: "condition" },
  { name: "language", label: "language", shows: (row) => (row["language"] === null ? "all" : String(row["language"])) },
  { name: "low", label: "lowest", shape: "price" },
  { name: "listing_count", label: "listings", shape: "count" },
  { name: "available_quantity", label: "pieces", shape: "count" }
]

export const idColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  sourceColumn(sources, "system"),
  { name: "finish", label: "finish" },
  { name: "external_id", label: "id", shape: "code" },
  { name: "valid_from", label: "since", shape: "instant" },
  { name: "valid_to", label: "until", shape: "instant" }
]

export const auditColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  { name: "kind", label: "finding" },
  sourceColumn(sources, "system"),
  { name: "finish", label: "finish" },
  { name: "external_id", label: "id", shape: "code" },
  { name: "detail", label: "detail", shape: "long" }
]

export const changeColumns: ReadonlyArray<Column> = [
  { name: "seen_at", label: "read", shape: "instant" },
  { name: "change", label: "change" },
  { name: "field", label: "field", shape: "code" },
  { name: "old", label: "old", shape: "long" },
  { name: "new", label: "new", shape: "long" },
  { name: "deployment_id", label: "deployment", shape: "code" }
]
