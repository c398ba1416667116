import { Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"
import { watchSql, readWatchlist } from "../../own/Watchlist.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { type SourceTitles, sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { html, type Html } from "../../pages/html.ts"
import { command } from "../pageMarks.ts"
import { type Column, dataTable, day, percent, price, productColumn } from "../dataTable.ts"
import type { LakeView, Row } from "../LakeReader.ts"
import { queryNamed } from "../queryNamed.ts"

const lines = (text: Row[string] | undefined): ReadonlyArray<Html> =>
  String(text ?? "")
    .replaceAll(" %", "\u00a0%")
    .split(/ or (?!more$)/)
    .map((part, place) => html`<div>${place > 0 && "or "}${part}</div>`)

const columnsFor = (titles: SourceTitles): ReadonlyArray<Column> => [
  productColumn(["expansion_code", "print_number", "finish"], {
    label: "card",
    below: (row) => html` <small class="narrow">number ${String(row["number"])}</small>`
  }),
  {
    name: "price",
    label: "price",
    shape: "price",
    shows: (row) =>
      (row["price"] ?? null) === null
        ? "no price"
        : html`${price(row["price"], row["currency"])}
            <small>${sourceTitle(titles, String(row["source"]))}</small>
            <small class="narrow">${percent(row["percent"])}</small>
            <small class="narrow">${String(row["flags"] ?? "")}</small>`
  },
  {
    name: "bounds",
    label: "alert when",
    shows: (row) => html`${lines(row["bounds"])} <small class="narrow">${lines(row["still"])}</small>`
  },
  { name: "still", label: "distance", isWide: true, shows: (row) => html`${lines(row["still"])}` },
  { name: "percent", label: "moved", shape: "percent", isWide: true, shows: moved },
  { name: "flags", label: "trust", isWide: true },
  { name: "number", label: "number", shape: "exact", isWide: true }
]

const moved = (row: Row): Html | string =>
  (row["percent"] ?? null) === null
    ? ""
    : html`${percent(row["percent"])} <small>since ${day(row["seen_before"])}</small>`

/** The table of watched products: their prices, and the distance to their bounds. */
export const watchedPrices = Effect.fnUntraced(function* (rowsOf: LakeView["rows"], titles: SourceTitles) {
  const found = yield* Effect.catchTag(readWatchlist, "FileDamaged", ({ message }) => Effect.succeed({ message }))
  // A fault here must not break the rest of the page.
  if ("message" in found) return html`<p class="empty">${shownText(found.message)}</p>`
  const { watched } = found
  const open = watchSql(watched)
  if (open === null)
    return html`<p class="empty">
        You watch no prices. To watch one, take the product's id from the address of its page:
      </p>
      ${command((yield* Home).root, "watch", "add", "PRODUCT", "--below", "20")}`
  yield* rowsOf("Open the watchlist", open)
  const rows = yield* rowsOf("Read the watched prices", queryNamed("own/watched"))
  return dataTable("Watched prices; alerts first", columnsFor(titles), rows)
})
