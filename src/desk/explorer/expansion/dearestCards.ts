import { Effect } from "effect"
import { titleOf } from "../../../feed/contract/sourceTitles.ts"
import { html } from "../../pages/html.ts"
import { type Column, dataTable, filledColumns, day, productCell } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"
import { type PageRequest, productAddress } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"

const dearest = queryNamed("expansion/dearest")

/** The ten dearest cards of an expansion, for each source; `span` is a row of compared_days.sql. */
export const dearestCards = Effect.fnUntraced(function* (
  asked: PageRequest,
  gameId: string,
  { id, span }: { readonly id: bigint; readonly span: Row }
) {
  const rows = yield* asked.lake.rows("List the dearest cards", dearest, {
    game: gameId,
    id,
    before: typeof span["before_snapshot"] === "string" ? span["before_snapshot"] : null
  })
  if (rows.length === 0) return html`<p class="empty">No card of it has a price above 0.</p>`
  const lists = Map.groupBy(rows, (row) => `${String(row["source"])} ${String(row["currency"])}`)
  const since = (span["before_at"] ?? null) === null ? "" : `; change since ${day(span["before_at"])}`
  return html`<div class="pair">
    ${[...lists.values()].map((list) => {
      const [first] = list
      const source = titleOf(asked.lake.sources.titles, String(first?.["source"]))
      return html`<section>
        ${dataTable(`The ${list.length === 10 ? "ten " : ""}dearest cards, ${source}, each in its cheapest finish${list.some((row) => row["percent"] !== null) ? since : ""}`, filledColumns(columns(gameId), list), list)}
      </section>`
    })}
  </div>`
})

const columns = (gameId: string): ReadonlyArray<Column> => [
  {
    name: "name",
    label: "name",
    shows: (row) =>
      productCell(productAddress(gameId, row["product_id"]), row["name"], [
        row["print_number"],
        row["variant"],
        row["rarity"],
        row["finish"]
      ])
  },
  { name: "market_value", label: "value", shape: "price" },
  { name: "percent", label: "change", shape: "percent" }
]
