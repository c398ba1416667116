import { Effect } from "effect"
import { Home } from "../../home/Home.ts"
import { watchSql } from "../../own/watchHits.ts"
import { readWatchlist } from "../../own/Watchlist.ts"
import { html } from "../../pages/html.ts"
import { command } from "../command.ts"
import { type Column, dataTable } from "../dataTable.ts"
import { day, percent } from "../figures.ts"
import type { LakeView } from "../LakeReader.ts"
import { productAddress } from "../PageRequest.ts"
import { productCell } from "../productCell.ts"
import { queryNamed } from "../queryNamed.ts"

const columns: ReadonlyArray<Column> = [
  {
    name: "name",
    label: "card",
    shows: (row) =>
      productCell(productAddress(String(row["game_id"]), row["product_id"]), row["name"] ?? row["product_id"], [
        row["expansion_code"],
        row["print_number"],
        row["finish"]
      ])
  },
  { name: "price", label: "price", shape: "price" },
  { name: "still", label: "until then" },
  { name: "bounds", label: "tell when" },
  {
    name: "percent",
    label: "moved",
    shape: "percent",
    shows: (row) =>
      row["percent"] === null ? "" : html`${percent(row["percent"])} <small>since ${day(row["seen_before"])}</small>`
  },
  { name: "flags", label: "flags" },
  { name: "number", label: "number", shape: "exact" }
]

/** What is watched: how it stands, and how far it is from its bounds. */
export const watchedPrices = Effect.fnUntraced(function* (rowsOf: LakeView["rows"]) {
  const { watched } = yield* readWatchlist
  const open = watchSql(watched)
  if (open === null)
    return html`<h2>Watched prices</h2>
      <p class="empty">Nothing is watched. A product's id is in the address of its page:</p>
      ${command((yield* Home).root, "watch", "add", "PRODUCT", "--below", "20")}`
  yield* rowsOf("Open the watchlist", open)
  const rows = yield* rowsOf("Read the watched prices", queryNamed("own/watched"))
  return html`<h2>Watched prices</h2>
    ${dataTable("Watched prices, those that have reached a bound first", columns, rows)}`
})
