import { Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"
import { readOwn, ownSql } from "../../own/Own.ts"
import { html, type Html, pageHead } from "../../pages/html.ts"
import { chartFigure } from "../../pages/charts/chartFigure.ts"
import { command } from "../pageMarks.ts"
import { dataTable, filledColumns } from "../dataTable.ts"
import { keptMoves, type LakeView, type Row } from "../LakeReader.ts"
import { listing } from "../listing.ts"
import { addressWith, readChoice, expansionAddress, type Page, type PageRequest } from "../PageRequest.ts"
import {
  cardColumns,
  countColumns,
  missingColumns,
  moverColumns,
  reviewColumns,
  setColumns,
  totalColumns
} from "../own/ownColumns.ts"
import { watchedPrices } from "../own/watchedPrices.ts"
import { choiceLinks } from "../pageChoices.ts"
import { priceCharts } from "../priceCharts.ts"
import { queryNamed } from "../queryNamed.ts"

const movers = `from (${queryNamed("own/movers")}) order by place, currency limit 10`

const currencies = ["EUR", "USD"] as const

/** The reader's cards: their value now and over time, their moves, and those that were not matched. */
export const ownPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { collections } = yield* readOwn
  const ownViews = yield* ownSql
  if (ownViews === null) {
    const body = html`${none((yield* Home).root)}
      <h2>Watched prices</h2>
      ${yield* watchedPrices(yield* request.lake.beside, request.lake.sources.titles)}`
    return { title: "My cards", body } satisfies Page
  }
  const names = collections.map(({ name }) => name)
  const wanted = request.query.get("collection")
  const collection = names.find((name) => name === wanted) ?? null
  const currency = yield* readChoice(request, "currency", currencies)
  const query = yield* request.lake.beside
  yield* query("Open your own cards", ownViews)
  const lacking = yield* lackingSet(request, query)
  if (lacking !== null) return lacking
  const list = yield* listing(
    request,
    {
      caption: `Cards, in ${currency}`,
      sql: queryNamed("own/cards"),
      parameters: { collection, currency },
      columns: cardColumns,
      order: "value",
      down: true,
      key: ["collection", "row"],
      empty: "The collection is empty."
    },
    query
  )
  const totals = yield* query("Add up the collections", queryNamed("own/totals"), { collection, currency })
  const counts = yield* query("Count the cards", queryNamed("own/counts"), { collection, currency })
  const week = yield* query("Look at a week ago", queryNamed("own/week"), { currency })
  const values = yield* query("Read the worth of every day", queryNamed("own/series"), { collection, currency })
  yield* keptMoves(request.lake, 7)
  const moved = yield* query("List what moved", movers, { collection })
  const ofSets = yield* query("List the sets", queryNamed("own/sets"), { collection })
  const { root } = yield* Home
  const open = yield* query("List what is open", queryNamed("own/review"), { collection })
  const worth = totals.map((row) => besideAWeekAgo(withoutNothing(row), week))
  const body = html`${pageHead("Cardlake", "My cards", whoHas(request))}
    ${choices(request, names, { collection, currency })}
    <h2>Value</h2>
    ${dataTable("Value of each collection", filledColumns(totalColumns, worth), worth)}
    ${counts.some((row) => row["counts_as"] !== "market value") && dataTable("How every card of the files counts", countColumns, counts)}
    <div class="charts" id="chart">
      ${priceCharts(values, new Map(), { from: null }).map((chart) => chartFigure(chart))}
    </div>
    <h2>Price changes in seven days</h2>
    ${moved.length === 0 ? html`<p class="empty">No price of your cards changed.</p>` : dataTable("Changes of market value, largest total first", moverColumns, moved)}
    <h2>Watched prices</h2>
    ${yield* watchedPrices(query, request.lake.sources.titles)}
    ${openRows(request.copy, command(root, "collection", "review", collection ?? "NAME", "--csv"), open)}
    <h2>Sets</h2>
    ${dataTable("Most complete sets", setColumns, ofSets)}
    <h2>Cards</h2>
    ${list}`
  return { title: "My cards", body } satisfies Page
})

/** The rows that are no product yet, with links to what they can be. */
const openRows = (copy: PageRequest["copy"], review: Html, rows: ReadonlyArray<Row>) =>
  rows.length > 0 &&
  html`<h2>Open</h2>
    <p class="says">
      Rows that are no product yet.
      ${copy === null && "To answer them, write them as CSV, fill product_id, and import that file:"}
    </p>
    ${copy === null && review}
    ${dataTable("Rows that are no product yet, with the products that they can be", reviewColumns, rows)}`

/** Removes zero parts of the worth, so that their columns are hidden. */
const withoutNothing = (row: Row): Row => {
  const part = (name: string) => (Number(row[name]) === 0 ? null : (row[name] ?? null))
  const names = ["value_of_any_condition", "value_of_unknown_condition"]
  return { ...row, ...Object.fromEntries(names.map((name) => [name, part(name)])) }
}

const besideAWeekAgo = (row: Row, week: ReadonlyArray<Row>): Row => {
  const found = week.find(({ collection }) => collection === row["collection"])
  return { ...row, week_value: found?.["value"] ?? null, week_day: found?.["day"] ?? null }
}

const whoHas = ({ copy }: PageRequest): string =>
  copy === null
    ? "Private: your cards are only on this page and in your own queries. Exports leave them out unless you pass --with-collection."
    : "Included by --with-collection: everybody who has this copy can see them."

/** The missing cards of the set that the address names; null = it names none. */
const lackingSet = Effect.fnUntraced(function* (request: PageRequest, rowsOf: LakeView["rows"]) {
  const set = request.query.get("set") ?? ""
  if (!/^\d{1,16}$/.test(set) || request.game === null) return null
  const { gameId, name } = request.game
  const list = yield* listing(
    request,
    {
      caption: "Missing cards; prices are of the cheapest finish",
      sql: queryNamed("own/missing"),
      parameters: { game: gameId, set },
      columns: missingColumns,
      order: "market_value",
      down: true,
      key: ["product_id"],
      empty: "No card is missing, or the lake does not have this set."
    },
    rowsOf
  )
  const body = html`${pageHead(name, "Missing cards", html`Of <a href="${expansionAddress(gameId, set)}">this set</a>. Back to <a href="/own">My cards</a>.`)}
  ${list}`
  return { title: "Missing cards", body } satisfies Page
})

const none = (root: string): Html =>
  html`${pageHead("Cardlake", "My cards")}
    <p class="empty">
      No cards imported yet. Import a CSV file from ManaBox, Moxfield, Archidekt, Deckbox, Dragon Shield, TCGplayer,
      Cardmarket, Collectr or another tool:
    </p>
    ${command(root, "collection", "import", "FILE")}`

const choices = (
  request: PageRequest,
  names: ReadonlyArray<string>,
  { collection, currency }: { readonly collection: string | null; readonly currency: string }
): Html =>
  html`${
    names.length > 1 &&
    choiceLinks(
      "Collections",
      [null, ...names].map((name) => [
        name ?? "All",
        addressWith(request, { collection: name, page: null }),
        name === collection
      ])
    )
  }
  ${choiceLinks(
    "Currency",
    currencies.map((one) => [
      one,
      addressWith(request, { currency: one === "EUR" ? null : one, page: null }),
      one === currency
    ])
  )}`
