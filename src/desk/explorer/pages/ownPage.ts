import { Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"
import { readOwn, ownSql } from "../../own/Own.ts"
import { html, type Html, pageHead } from "../../pages/html.ts"
import { chartFigure } from "../../pages/charts/chartFigure.ts"
import { command } from "../pageMarks.ts"
import { dataTable, filledColumns } from "../dataTable.ts"
import { type LakeView, type Row, weekMoves } from "../LakeReader.ts"
import { listing } from "../listing.ts"
import { addressWith, choiceOf, expansionAddress, type Page, type PageRequest } from "../PageRequest.ts"
import {
  cardColumns,
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

const cards = queryNamed("own/cards")
const series = queryNamed("own/series")
const movers = queryNamed("own/movers")
const sets = queryNamed("own/sets")
const missing = queryNamed("own/missing")

const currencies = ["EUR", "USD"] as const

/** The reader's cards: their value now and over time, their moves, and those that were not matched. */
export const ownPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const { collections } = yield* readOwn
  const ownViews = yield* ownSql
  if (ownViews === null) {
    const body = html`${none((yield* Home).root)}
    ${yield* watchedPrices(yield* asked.lake.beside, asked.lake.sources.titles)}`
    return { title: "My cards", body } satisfies Page
  }
  const names = collections.map(({ name }) => name)
  const wanted = asked.query.get("collection")
  const collection = names.find((name) => name === wanted) ?? null
  const currency = yield* choiceOf(asked, "currency", currencies)
  const rowsOf = yield* asked.lake.beside
  yield* rowsOf("Open your own cards", ownViews)
  const lacking = yield* lackingSet(asked, rowsOf)
  if (lacking !== null) return lacking
  const list = yield* listing(
    asked,
    {
      caption: `Cards, in ${currency}`,
      sql: cards,
      parameters: { collection, currency },
      columns: cardColumns,
      order: "value",
      down: true,
      key: ["collection", "row"],
      empty: "Nothing is in it."
    },
    rowsOf
  )
  const totals = yield* rowsOf("Add up the collections", queryNamed("own/totals"), { collection, currency })
  const week = yield* rowsOf("Look at a week ago", queryNamed("own/week"), { currency })
  const values = yield* rowsOf("Read the worth of every day", series, { collection, currency })
  yield* weekMoves(asked.lake)
  const moved = yield* rowsOf("List what moved", `from (${movers}) order by place, currency limit 10`, { collection })
  const ofSets = yield* rowsOf("List the sets", sets, { collection })
  const { root } = yield* Home
  const open = yield* rowsOf("List what is open", queryNamed("own/review"), { collection })
  const worth = totals.map((row) => besideAWeekAgo(withoutNothing(row), week))
  const body = html`${pageHead("Cardlake", "My cards", whoHas(asked))}
    ${choices(asked, names, { collection, currency })}
    <h2>Worth</h2>
    ${dataTable("What each collection is worth", filledColumns(totalColumns, worth), worth)}
    <div class="charts" id="chart">
      ${priceCharts(values, new Map(), { from: null }).map((chart) => chartFigure(chart))}
    </div>
    <h2>What moved in seven days</h2>
    ${moved.length === 0 ? html`<p class="empty">No price of them moved.</p>` : dataTable("Moves of market value, the greatest sums first", moverColumns, moved)}
    ${yield* watchedPrices(rowsOf, asked.lake.sources.titles)}
    ${
      open.length > 0 &&
      html`<h2>Open</h2>
        <p>
          Rows that are no product yet.
          ${asked.copy === null && "Answer them: list them as CSV, fill product_id, and import that file."}
        </p>
        ${asked.copy === null && command(root, "collection", "review", collection ?? "NAME", "--csv")}
        ${dataTable("Rows that are no product yet, with the products that they can be", reviewColumns, open)}`
    }
    <h2>Sets</h2>
    ${dataTable("Sets that I have most of", setColumns, ofSets)}
    <h2>Cards</h2>
    ${list}`
  return { title: "My cards", body } satisfies Page
})

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
    ? "Only this page and your own queries have them: nothing leaves the home without --with-collection."
    : "In this copy by --with-collection: whoever has the copy sees them."

/** The missing cards of the set that the address names; null = it names none. */
const lackingSet = Effect.fnUntraced(function* (asked: PageRequest, rowsOf: LakeView["rows"]) {
  const set = asked.query.get("set") ?? ""
  if (!/^\d{1,16}$/.test(set) || asked.game === null) return null
  const { gameId, name } = asked.game
  const list = yield* listing(
    asked,
    {
      caption: "Cards that I do not have; prices are those of the cheapest finish",
      sql: missing,
      parameters: { game: gameId, set },
      columns: missingColumns,
      order: "market_value",
      down: true,
      key: ["product_id"],
      empty: "I have every card of it, or the lake has no such set."
    },
    rowsOf
  )
  const body = html`${pageHead(name, "What I lack", html`Of <a href="${expansionAddress(gameId, set)}">this set</a>. Back to <a href="/own">my cards</a>.`)}
  ${list}`
  return { title: "What I lack", body } satisfies Page
})

const none = (root: string): Html =>
  html`${pageHead("Cardlake", "My cards")}
    <p class="empty">
      Nothing was imported yet. Take the export of ManaBox, Moxfield, Archidekt, Deckbox, Dragon Shield, TCGplayer,
      Cardmarket, Collectr or another tool:
    </p>
    ${command(root, "collection", "import", "FILE")}`

const choices = (
  asked: PageRequest,
  names: ReadonlyArray<string>,
  { collection, currency }: { readonly collection: string | null; readonly currency: string }
): Html =>
  html`${
    names.length > 1 &&
    choiceLinks(
      "Collections",
      [null, ...names].map((name) => [
        name ?? "All",
        addressWith(asked, { collection: name, page: null }),
        name === collection
      ])
    )
  }
  ${choiceLinks(
    "Currency",
    currencies.map((one) => [
      one,
      addressWith(asked, { currency: one === "EUR" ? null : one, page: null }),
      one === currency
    ])
  )}`
