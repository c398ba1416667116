import { sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { html } from "../../pages/html.ts"
import { type Column, day, joinFacts, sourceColumn } from "../dataTable.ts"
import { productAddress } from "../PageRequest.ts"
import { changedWords } from "../../notes/changedWords.ts"
import type { Row, SourceNames } from "../LakeReader.ts"

export const priceColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  sourceColumn(sources, "source"),
  { name: "finish", label: "finish" },
  { name: "market_value", label: "market value", shape: "price" },
  { name: "low", label: "low", shape: "price" },
  { name: "mid", label: "mid", shape: "price" },
  { name: "high", label: "high", shape: "price" },
  { name: "ever_high", label: "highest read", shape: "price" },
  { name: "high_at", label: "on", shape: "day" },
  { name: "ever_low", label: "lowest read", shape: "price" },
  { name: "low_at", label: "on", shape: "day" },
  { name: "change_24h", label: "feed’s 24 h", shape: "percent" },
  { name: "change_7d", label: "feed’s 7 d", shape: "percent" },
  { name: "change_30d", label: "feed’s 30 d", shape: "percent" }
]

export const printingColumns = ({ titles }: SourceNames): ReadonlyArray<Column> => [
  {
    name: "expansion_name",
    label: "set",
    shows: (row) =>
      html`<a href="${productAddress(String(row["game_id"]), row["product_id"])}"
          >${shownText(String(row["expansion_name"] ?? "none"), 200)}</a
        >
        <small class="narrow">${joinFacts([row["print_number"], row["variant"], day(row["release_date"])])}</small>`
  },
  { name: "print_number", label: "number", shape: "code", isWide: true },
  { name: "variant", label: "variant", isWide: true },
  { name: "release_date", label: "released", shape: "day", isWide: true },
  { name: "eur", label: sourceTitle(titles, "sourceEur"), shape: "price", currency: "eur_in" },
  { name: "usd", label: sourceTitle(titles, "sourceUsd"), shape: "price", currency: "usd_in" }
]

export const listingColumns: ReadonlyArray<Column> = [
  { name: "region", label: "region", shape: "code" },
  { name: "finish", label: "finish" },
  { name: "low", label: "lowest", shape: "price" },
  { name: "listing_count", label: "listings", shape: "count" },
  { name: "available_quantity", label: "quantity", shape: "count" }
]

export const conditionColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  sourceColumn(sources, "place", "source or region"),
  { name: "finish", label: "finish" },
  { name: "condition", label: "condition" },
  {
    name: "language",
    label: "language",
    shows: (row) => (row["language"] === null ? "all" : languageName(String(row["language"])))
  },
  { name: "low", label: "lowest", shape: "price" },
  { name: "listing_count", label: "listings", shape: "count" },
  { name: "available_quantity", label: "quantity", shape: "count" }
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

const changedIn = (row: Row) => changedWords(row["field"], row["old"], row["new"])

export const changeColumns: ReadonlyArray<Column> = [
  { name: "seen_at", label: "read", shape: "instant" },
  { name: "change", label: "change" },
  { name: "field", label: "field", shape: "code" },
  { name: "old", label: "old", shape: "long", shows: (row) => changedIn(row).old },
  { name: "new", label: "new", shape: "long", shows: (row) => changedIn(row).new },
  { name: "deployment_id", label: "deployment", shape: "code" }
]

const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" })

/** Returns the English name of a language code; an unknown code stays unchanged. */
export const languageName = (code: string): string => {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
