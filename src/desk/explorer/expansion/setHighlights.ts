import { Effect } from "effect"
import { sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { html } from "../../pages/html.ts"
import { type Column, dataTable, filledColumns, day, productColumn, between } from "../dataTable.ts"
import { keptMoves, type Row } from "../LakeReader.ts"
import { type PageRequest, gameAddress } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"
import { gainsAndFalls, moverColumns, moversOfKept, topMoves } from "../movers/moves.ts"
import { columnsFilled, filledIn } from "../listing.ts"

const expensive = queryNamed("expansion/expensive")

/** The ten most expensive cards of an expansion by source; `span` is a row of compared_days.sql. */
export const expensiveCards = Effect.fnUntraced(function* (
  request: PageRequest,
  gameId: string,
  { id, span }: { readonly id: bigint; readonly span: Row }
) {
  const rows = yield* request.lake.rows("List the most expensive cards", expensive, {
    game: gameId,
    id,
    before: typeof span["before_snapshot"] === "string" ? span["before_snapshot"] : null
  })
  if (rows.length === 0) return html`<p class="empty">No card of the set has a price above 0.</p>`
  const lists = Map.groupBy(rows, (row) => `${String(row["source"])} ${String(row["currency"])}`)
  const since = (span["before_at"] ?? null) === null ? "" : `; change since ${day(span["before_at"])}`
  return html`<div class="pair">
    ${[...lists.values()].map((list) => {
      const [first] = list
      const source = sourceTitle(request.lake.sources.titles, String(first?.["source"]))
      return html`<section>
        ${dataTable(`The ${list.length === 10 ? "ten " : ""}most expensive cards, ${source}, each in its cheapest finish${list.some((row) => row["percent"] !== null) ? since : ""}`, filledColumns(columns(gameId), list), list)}
      </section>`
    })}
  </div>`
})

const columns = (gameId: string): ReadonlyArray<Column> => [
  productColumn(["print_number", "variant", "rarity", "finish"], { gameId }),
  { name: "market_value", label: "value", shape: "price" },
  { name: "percent", label: "change", shape: "percent" }
]

/** The number of gains, and of falls, on the page of a set. */
const shown = 5

/** The largest moves of a set, with the default filters of the movers' page; `span` is a row of compared_days.sql. */
export const setMovers = Effect.fnUntraced(function* (
  request: PageRequest,
  gameId: string,
  { set, span }: { readonly set: string; readonly span: Row }
) {
  yield* keptMoves(request.lake, 7)
  const rows = yield* request.lake.rows("List the largest moves of a week", topMoves(moversOfKept(7), "size", shown), {
    game: gameId,
    min_price: "1",
    min_listings: 0,
    source: null,
    currency: null,
    expansion: set,
    kind: null,
    finish: null,
    trust: "all",
    until: null
  })
  const address = `${gameAddress(gameId, "movers")}?${new URLSearchParams({ set })}`
  const days = (span["before_at"] ?? null) === null ? "" : html`From ${between(span["before_at"], span["last_at"])}. `
  if (rows.length === 0) {
    return html`<p class="empty">
      No price of 1 or more in this set changed. ${days}<a href="${address}">Change the filters</a>
    </p>`
  }
  return html`<p class="says">${days}<a href="${address}">Change the filters</a></p>
    ${gainsAndFalls({
      rows,
      columns: columnsFilled(moverColumns(gameId), yield* filledIn(request, gameId)),
      by: "change",
      addressOf: (way, currency) => `${address}&way=${way}&currency=${currency}`,
      isTitled: false
    })}`
})

const of = (sql: string): string => `with daily as materialized (\n${sql})\n${queryNamed("expansion/series")}`
const ofOne = of(queryNamed("expansion/values"))
const ofKept = of(queryNamed("expansion/kept_values"))
const everyValue = queryNamed("expansion/every_value")

interface Wanted {
  readonly game: string
  readonly id: bigint
  /** The first day; null = all days. */
  readonly from: string | null
  readonly withHistory: boolean
}

/** The value of one of every card of a set, by day. A static site has every set, so one query reads all of them. */
export const valuesOfSet = Effect.fnUntraced(function* (request: PageRequest, { withHistory, ...parameters }: Wanted) {
  if (request.copy === null || withHistory) {
    return yield* request.lake.rows("Read the values", ofOne, { ...parameters, with_history: withHistory })
  }
  yield* request.lake.kept("Read the values of every set", everyValue)
  return yield* request.lake.rows("Read the values", ofKept, parameters)
})
