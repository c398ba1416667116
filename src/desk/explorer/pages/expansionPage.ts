import { Effect } from "effect"
import { addressWith, readChoice, type PageRequest, readGame, readId, NotThere, type Page } from "../PageRequest.ts"
import { type Column, dataTable, counted, day, joinFacts, sourceColumn } from "../dataTable.ts"
import { expensiveCards, setMovers, valuesOfSet } from "../expansion/setHighlights.ts"
import { filledIn } from "../listing.ts"
import { productsOfSet } from "../expansion/productsOfSet.ts"
import { factList, html, type Html, pageHead } from "../../pages/html.ts"
import { chartFigure } from "../../pages/charts/chartFigure.ts"
import { chartSpan, priceCharts } from "../priceCharts.ts"
import { choiceLinks } from "../pageChoices.ts"
import type { Row, SourceNames } from "../LakeReader.ts"
import { queryNamed } from "../queryNamed.ts"
import { comparedDays } from "../whyEmpty.ts"

const expansion = queryNamed("expansion/expansion")
const coverage = queryNamed("expansion/coverage")
const rarities = queryNamed("expansion/rarities")
const hasHistory = queryNamed("has_history")

/** An expansion: its value over time, most expensive cards, largest moves, products, and share of priced cards. */
export const expansionPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { gameId, name } = yield* readGame(request)
  const id = yield* readId(request, "an expansion")
  const [found] = yield* request.lake.rows("Find the expansion", expansion, { game: gameId, id })
  if (found === undefined) {
    return yield* new NotThere({ message: `${name} has no expansion with id ${id}. Search for it by name` })
  }
  const set = { gameId, id, found, has: yield* filledIn(request, gameId) }
  const isPriced = set.has["eur"] === true || set.has["usd"] === true
  // This comes first, because a request for a file needs only these rows.
  const products = yield* productsOfSet(request, gameId, set)
  const value = yield* valueOverTime(request, set)
  const priced = yield* pricedCards(request, set)
  const title = String(found["name"])
  const released = day(found["release_date"])
  const facts = joinFacts([found["code"], released === "" ? "" : `released ${released}`])
  const body = html`${pageHead(name, title, facts)}
    <nav class="switch" aria-label="On this page">
      ${(isPriced ? parts : parts.slice(-1)).map(([anchor, label]) => html`<a href="#${anchor}">${label}</a>`)}
    </nav>
    ${value} ${isPriced && priced}
    <h2 id="products">Products</h2>
    ${products} ${yield* coverageOfSet(request, set)}
    <h2>Raw data</h2>
    ${factList([
      ["cards (feed’s count)", counted(found["card_count"])],
      ["sealed products (feed’s count)", counted(found["sealed_product_count"])],
      ["languages", Array.isArray(found["languages"]) ? found["languages"].join(", ") : ""],
      ["slug", found["slug"] === null ? "" : html`<code>${String(found["slug"])}</code>`],
      ["id", html`<code>${String(found["expansion_id"])}</code>`]
    ])}`
  return { title: `${name}: ${title}`, body } satisfies Page
})

/** An expansion of the lake, and the columns that have values in its game. */
interface FoundSet {
  readonly gameId: string
  readonly id: bigint
  readonly found: Row
  readonly has: Row
}

/** The value of one copy of every card of a set, by day. */
const valueOverTime = Effect.fnUntraced(function* (request: PageRequest, { gameId, id }: FoundSet) {
  const history = yield* readChoice(request, "history", ["no", "yes"])
  const known = yield* request.lake.rows("Find history", hasHistory, { game: gameId })
  const span = yield* chartSpan(request, gameId, null)
  const wanted = { game: gameId, id, from: span.readFrom, withHistory: history === "yes" }
  const charts = priceCharts(yield* valuesOfSet(request, wanted), request.lake.sources.titles, span)
  return html`<h2 id="chart">Value</h2>
    ${charts.length > 0 ? html`<div class="charts">${charts.map((chart) => chartFigure(chart))}</div>` : html`<p class="empty">No card of the set has a price above 0 ${span.from === null ? "on any day" : "on these days"}.</p>`}
    ${span.links} ${known.length > 0 && historySwitch(request, history)}`
})

/** The most expensive cards, the largest moves, and the value by rarity. */
const pricedCards = Effect.fnUntraced(function* (request: PageRequest, { found, gameId, has, id }: FoundSet) {
  const byRarity = yield* request.lake.rows("Read the rarities", rarities, { game: gameId, id })
  const days = { game: gameId, days: 7, since: null, until: null }
  const [span = {}] = yield* request.lake.rows("Read the compared days", comparedDays, days)
  const isUnique = found["code"] !== null && Number(found["alike"]) === 1
  const set = String(isUnique ? found["code"] : id)
  return html`<h2 id="dearest">Most expensive cards</h2>
    ${yield* expensiveCards(request, gameId, { id, span })}
    <h2 id="movers">Price changes</h2>
    ${yield* setMovers(request, gameId, { set, span })}
    ${
      has["rarity"] !== false &&
      byRarity.length > 0 &&
      dataTable("Value of one of every card, by rarity", rarityColumns(request.lake.sources), byRarity)
    }`
})

const coverageOfSet = Effect.fnUntraced(function* (request: PageRequest, { gameId, has, id }: FoundSet) {
  const all = yield* request.lake.rows("Read the coverage", coverage, { game: gameId, id })
  const covered = all.filter(({ source }) => has[coverageNeeds[String(source)] ?? ""] !== false)
  return (
    covered.length > 0 &&
    html`<h2>Coverage</h2>
      ${dataTable("Share of products with a price", coverageColumns(request.lake.sources), covered)}`
  )
})

const parts = [
  ["chart", "Value"],
  ["dearest", "Most expensive cards"],
  ["movers", "Price changes"],
  ["products", "Products"]
] as const

/** A switch for the service's history. The history may cover only a few cards, so their sum is hidden by default. */
const historySwitch = (request: PageRequest, history: string): Html =>
  choiceLinks("Days of the chart", [
    ["Our readings", `${addressWith(request, { history: null })}#chart`, history === "no"],
    [
      "Also days of the marketplace’s own history (may lack cards)",
      `${addressWith(request, { history: "yes" })}#chart`,
      history === "yes"
    ]
  ])

/** The columns of filled.sql that show which sources may have prices. */
const coverageNeeds: Readonly<Record<string, string>> = { sourceEur: "eur", sourceUsd: "usd", marketplace: "listings" }

const coverageColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  sourceColumn(sources, "source"),
  { name: "products", label: "products", shape: "count" },
  { name: "priced", label: "priced", shape: "count" },
  { name: "percent", label: "share", shape: "share" },
  { name: "value", label: "one of every card", shape: "price" },
  { name: "dearest", label: "most expensive", shape: "price" },
  { name: "median_card", label: "median card", shape: "price" },
  { name: "percent_ten_dearest", label: "share of the top ten", shape: "share" },
  { name: "priced_cards", label: "priced cards", shape: "count" },
  { name: "cards", label: "cards", shape: "count" }
]

const rarityColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  { name: "rarity", label: "rarity" },
  sourceColumn(sources, "source"),
  { name: "value", label: "one of every card", shape: "price" },
  { name: "percent_of_expansion", label: "share of the value", shape: "share" },
  { name: "median_card", label: "median card", shape: "price" },
  { name: "dearest", label: "most expensive", shape: "price" },
  { name: "priced", label: "priced cards", shape: "count" },
  { name: "cards", label: "cards", shape: "count" }
]
