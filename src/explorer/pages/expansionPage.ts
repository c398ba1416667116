import { Effect } from "effect"
import {
  addressWith,
  choiceOf,
  type PageRequest,
  gameOf,
  idOf,
  NotThere,
  type Page,
  productAddress
} from "../PageRequest.ts"
import { titleOf } from "../../contract/sourceTitles.ts"
import { type Column, dataTable } from "../dataTable.ts"
import { factList } from "../../pages/tableBox.ts"
import { counted, day } from "../figures.ts"
import { html, type Html } from "../../pages/html.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { listing } from "../listing.ts"
import { chartFigure } from "../../pages/charts/chartFigure.ts"
import { chartSpan } from "../chartSpan.ts"
import { priceCharts } from "../priceCharts.ts"
import { sourceColumn } from "../sourceColumns.ts"
import type { SourceNames } from "../sourceNames.ts"
import { queryNamed } from "../queryNamed.ts"

const expansion = queryNamed("expansion/expansion")
const coverage = queryNamed("expansion/coverage")
const rarities = queryNamed("expansion/rarities")
const series = queryNamed("expansion/series")
const products = queryNamed("expansion/products")
const hasHistory = queryNamed("has_history")

/** An expansion: its value over time and by rarity, how much of it has a price, its products. */
export const expansionPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const { gameId, name } = yield* gameOf(asked)
  const id = yield* idOf(asked, "expansions")
  const parameters = { game: gameId, id }
  const { sources } = asked.lake
  const [found] = yield* asked.lake.rows("Find the expansion", expansion, parameters)
  if (found === undefined) {
    return yield* new NotThere({
      what: `${name} has no expansion ${id}`,
      next: "Look for it by name in the search field"
    })
  }
  const covered = yield* asked.lake.rows("Read the coverage", coverage, parameters)
  const byRarity = yield* asked.lake.rows("Read the rarities", rarities, parameters)
  const history = yield* choiceOf(asked, "history", ["no", "yes"])
  const known = yield* asked.lake.rows("Look for history", hasHistory, { game: gameId })
  const span = yield* chartSpan(asked, gameId, null)
  const values = yield* asked.lake.rows("Read the values", series, {
    ...parameters,
    from: span.readFrom,
    with_history: history === "yes"
  })
  const charts = priceCharts(values, sources.titles, span)
  const list = yield* listing(asked, {
    caption: "Products; market values are those of the cheapest finish",
    sql: products,
    parameters,
    columns: productColumns(gameId, sources),
    order: "place",
    key: ["print_number", "name", "product_id"],
    empty: "The lake has no products of it: the feed lists none yet, or the contract refused them."
  })
  const title = String(found["name"])
  const body = html`${pageHead(name, title)}
    ${factList([
      ["code", found["code"] === null ? "" : html`<code>${String(found["code"])}</code>`],
      ["id", html`<code>${String(found["expansion_id"])}</code>`],
      ["slug", found["slug"] === null ? "" : html`<code>${String(found["slug"])}</code>`],
      ["released", day(found["release_date"])],
      ["languages", Array.isArray(found["languages"]) ? found["languages"].join(", ") : ""],
      ["cards, according to the feed", counted(found["card_count"])],
      ["sealed, according to the feed", counted(found["sealed_product_count"])]
    ])}
    <h2 id="chart">Value</h2>
    ${charts.length > 0 ? html`<div class="charts">${charts.map((chart) => chartFigure(chart))}</div>` : html`<p class="empty">No card of it has a price above 0 ${span.from === null ? "on any night" : "on these days"}.</p>`}
    ${span.links} ${known.length > 0 && historySwitch(asked, history)}
    ${byRarity.length > 0 && dataTable("What one of every card is worth by rarity", rarityColumns(sources), byRarity)}
    <h2>Coverage</h2>
    ${covered.length > 0 ? dataTable("How many of its products have a price", coverageColumns(sources), covered) : html`<p class="empty">It has no products.</p>`}
    <h2>Products</h2>
    ${list}`
  return { title: `${name}: ${title}`, body } satisfies Page
})

/** The service's own history may have few of the cards, so their sum is not shown unless somebody asks. */
const historySwitch = (asked: PageRequest, history: string): Html =>
  html`<nav class="switch" aria-label="Days of the chart">
    ${[
      ["no", "Our readings"],
      ["yes", "Also days of the service’s own history, with the cards it has"]
    ].map(
      ([word, label]) =>
        html`<a
          href="${addressWith(asked, { history: word === "yes" ? "yes" : null })}#value"
          ${word === history && html` aria-current="true"`}
          >${label ?? ""}</a
        >`
    )}
  </nav>`

const coverageColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  sourceColumn(sources, "source"),
  { name: "products", label: "products", shape: "count" },
  { name: "priced", label: "with a price", shape: "count" },
  { name: "percent", label: "share", shape: "share" },
  { name: "value", label: "one of every card", shape: "price" },
  { name: "dearest", label: "dearest card", shape: "price" },
  { name: "median_card", label: "median card", shape: "price" },
  { name: "percent_ten_dearest", label: "value in the ten dearest", shape: "share" },
  { name: "priced_cards", label: "cards with a price", shape: "count" },
  { name: "cards", label: "cards", shape: "count" }
]

const rarityColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  { name: "rarity", label: "rarity" },
  sourceColumn(sources, "source"),
  { name: "value", label: "one of every card", shape: "price" },
  { name: "percent_of_expansion", label: "share of the value", shape: "share" },
  { name: "median_card", label: "median card", shape: "price" },
  { name: "dearest", label: "dearest card", shape: "price" },
  { name: "priced", label: "cards with a price", shape: "count" },
  { name: "cards", label: "cards", shape: "count" }
]

const productColumns = (gameId: string, { titles }: SourceNames): ReadonlyArray<Column> => [
  { name: "place", label: "number", shape: "code", shows: (row) => String(row["print_number"] ?? "") },
  { name: "name", label: "name", link: (row) => productAddress(gameId, row["product_id"]) },
  { name: "variant", label: "variant" },
  { name: "rarity", label: "rarity" },
  { name: "kind", label: "kind" },
  { name: "eur", label: titleOf(titles, "sourceEur"), shape: "price", currency: "eur_in" },
  { name: "usd", label: titleOf(titles, "sourceUsd"), shape: "price", currency: "usd_in" },
  { name: "listings", label: "listings", shape: "count" }
]
