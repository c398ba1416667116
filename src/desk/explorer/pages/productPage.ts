import { Effect } from "effect"
import { shownText } from "../../../feed/contract/shownText.ts"
import { heldSnapshots } from "../../../store/home/HeldBack.ts"
import { sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import type { Chart } from "../../pages/charts/Chart.ts"
import { chartFigure } from "../../pages/charts/chartFigure.ts"
import { html, type Html } from "../../pages/html.ts"
import {
  addressWith,
  expansionAddress,
  fileAddress,
  productAddress,
  readGame,
  readId,
  NotThere,
  type Page,
  type PageRequest
} from "../PageRequest.ts"
import { dataTable, day, filledColumns, sortableTable, instant } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"
import { choiceLinks } from "../pageChoices.ts"
import { priceCharts } from "../priceCharts.ts"
import { pictureMark } from "../pageMarks.ts"
import { priceBoard } from "../product/priceBoard.ts"
import * as columns from "../product/productColumns.ts"
import { describeKind, productFacts, productKeys, neighbourLinks, sourceLinks } from "../product/productFacts.ts"
import { answerWithPrices, readProduct } from "../product/readProduct.ts"
import { queryNamed } from "../queryNamed.ts"

/** A product: its prices and their history, then everything else in the lake, ids last. */
export const productPage = Effect.fnUntraced(function* (request: PageRequest) {
  const game = yield* readGame(request)
  const id = yield* readId(request, "a product")
  const find = (name: string) =>
    request.lake.rows("Find the product", queryNamed(`product/${name}`), { game: game.gameId, id })
  const found = (yield* find("product"))[0] ?? (yield* find("gone"))[0]
  if (found === undefined) {
    return yield* new NotThere({ message: `${game.name} never had a product with id ${id}. Search for it by name` })
  }
  yield* answerWithPrices(request, { gameId: game.gameId, id, row: found })
  const read = yield* readProduct(request, { gameId: game.gameId, id, row: found })
  const { audit, board, listings } = read
  const held = request.copy === null ? yield* heldSnapshots(game.gameId) : []
  const marks = [
    { day: day(found["released"]), label: "released" },
    ...held.map(({ manifest }) => ({ day: manifest.extractedAt.slice(0, 10), label: "held" }))
  ]
  // Highest and lowest values are in their own currency.
  const peaks = read.rate === "native" ? read.prices : []
  const charts = priceCharts(read.series, request.lake.sources.titles, { ...read.span, marks, peaks })
  // The first chart has the currency of the board's first price.
  const lead =
    charts.find(({ unit }) => read.rate !== "native" || unit.name === read.board[0]?.["currency"]) ?? charts[0]
  const prices = priceBoard(board, read.spans, request.lake.sources.titles)
  const facts = section("facts", "Details", productFacts(found, read.translations))
  // With few prices, the facts fit beside the chart.
  const isRoomy = board.length > 0 && lead !== undefined && prices.rest === false
  const body = html`${productHead(game.gameId, found)}
    ${found["is_live"] !== true && html`<p class="note removed">Removed from the catalogue on ${instant(found["valid_to"])}. This page shows the last version.</p>`}
    ${board.length + listings.length === 0 && html`<p class="empty">No prices and no live listings as of the last reading.</p>`}
    <div class="top" id="chart">
      ${board.length > 0 && prices.first}
      ${lead !== undefined && html`<div class="lead">${chartFigure(lead)} ${read.span.links}</div>`}
      ${isRoomy ? html`<div class="rest">${facts}</div>` : prices.rest}
    </div>
    ${audit.length > 0 && html`<p class="note moves">An external id looks wrong, so a price may belong to another product: <a href="#ids">see below</a></p>`}
    ${history(request, read, { lead, others: charts.filter((chart) => chart !== lead) })} ${offers(request, read)}
    ${related(request, found, read)} ${section("changes", "Changes", showChanges(read))} ${!isRoomy && facts}
    ${section("ids", "Ids", showIds(request, found, read))}`
  return { title: String(found["name"]), body } satisfies Page
})

type ProductRead = Effect.Success<ReturnType<typeof readProduct>>

/** A section of the page with a heading; false = the page does not have it. */
const section = (id: string, title: string, content: Html | false): Html | false =>
  content !== false &&
  html`<h2 id="${id}">${title}</h2>
    ${content}`

const noRows = (says: string): Html => html`<p class="empty">${says}</p>`

/** The price charts, and the current prices of each source. */
const history = (
  request: PageRequest,
  { prices, rate, series }: ProductRead,
  { lead, others }: { readonly lead: Chart | undefined; readonly others: ReadonlyArray<Chart> }
): Html => {
  const shown = filledColumns(columns.priceColumns(request.lake.sources), prices)
  return html`<h2 id="history">Price history</h2>
    ${inOneCurrency(series, rate) ? false : rateSwitch(request, rate)} ${unrated(series) && noRates}
    ${lead === undefined && html`<p class="empty">No night has a price${rate !== "native" && " in EUR"}.</p>`}
    ${
      request.copy === null &&
      series.length > 0 &&
      html`<p class="take">
        <span>Download prices:</span> <a href="${fileAddress(request, "csv")}">CSV</a>
        <a href="${fileAddress(request, "json")}">JSON</a>
      </p>`
    }
    ${others.length > 0 && html`<div class="charts">${others.map((chart) => chartFigure(chart))}</div>`}
    ${prices.length > 0 && dataTable("Price sources as of the last reading; percentages come from the feed", shown, prices)}`
}

/** The current listings of the marketplace. */
const offers = ({ lake }: PageRequest, { conditions, listings }: ProductRead): Html => {
  const marketplace = sourceTitle(lake.sources.titles, "marketplace")
  const depth =
    conditions.length > 0 &&
    dataTable("Listings by condition and language", columns.conditionColumns(lake.sources), conditions)
  const live =
    listings.length > 0
      ? dataTable(`${marketplace}: live listings as of the last reading`, columns.listingColumns, listings)
      : noRows(`No live listings on ${marketplace} as of the last reading.`)
  return html`${section("conditions", "Conditions", depth)} ${section("offers", "Live offers", live)}`
}

/** Related products, and the product's pages on other sites. */
const related = (request: PageRequest, found: Row, { beside, board, ids, printings }: ProductRead): Html => {
  const gameId = String(found["game_id"])
  const others = printings.length > 0 && printingTable(request, printings, String(found["name"]))
  return html`${section("printings", "Other printings", others)}
  ${section("neighbours", "Previous and next", neighbourLinks(gameId, beside))}
  ${section("links", "External pages", sourceLinks(gameId, request.lake.sources, { prices: board, ids }))}`
}

const showChanges = ({ changes, first }: ProductRead): Html =>
  html`<p class="says">First read ${instant(first?.["first_seen"])}.</p>
    ${changes.length === 0 ? noRows("Only prices have changed since.") : dataTable("Changes by night, without prices", columns.changeColumns, changes)}`

const showIds = ({ lake: { sources } }: PageRequest, found: Row, { audit, ids }: ProductRead): Html =>
  html`${productKeys(found)}
  ${ids.length === 0 ? noRows("The feed has no external id for this product.") : dataTable("External ids and the time of their use", columns.idColumns(sources), ids)}
  ${audit.length > 0 && dataTable("Problems with these ids", columns.auditColumns(sources), audit)}`

/** The CSS class for the length of a name. Long names are smaller, so that prices stay near the top. */
const nameSize = (name: string): string => (name.length > 80 ? " longest" : name.length > 24 ? " long" : "")

const productHead = (gameId: string, found: Row): Html => {
  const name = shownText(String(found["name"]), 200)
  const expansion = found["present_expansion"] ?? found["expansion_name"] ?? null
  const number = found["print_number"] ?? null
  const words = [
    number === null ? null : `no. ${String(number)}`,
    found["variant"],
    found["rarity"],
    describeKind(found)
  ]
  const parts: ReadonlyArray<Html | string> = [
    ...(expansion !== null && found["expansion_id"] !== null
      ? [html`<a href="${expansionAddress(gameId, found["expansion_id"])}">${shownText(String(expansion), 200)}</a>`]
      : []),
    ...words.flatMap((part) => (part === null || part === undefined ? [] : [shownText(String(part), 200)]))
  ]
  return html`${pictureMark(productAddress(gameId, found["product_id"]), "large")}
    <div class="head product${nameSize(name)}">
      <h1>${name}</h1>
      <p class="says">${parts.map((part, index) => html`${index > 0 && " · "}${part}`)}</p>
    </div>`
}

const printingTable = (request: PageRequest, printings: ReadonlyArray<Row>, name: string): Html => {
  const all = Number(printings[0]?.["printings"] ?? 0)
  const search = `/search?${new URLSearchParams({ q: name, game: request.game?.gameId ?? "" }).toString()}`
  const caption = "Other printings, newest set first; market values are of the cheapest finish"
  const table = {
    caption,
    columns: filledColumns(columns.printingColumns(request.lake.sources), printings),
    rows: printings,
    order: { by: "release_date", down: true }
  }
  return html`${sortableTable(table)}
  ${all > printings.length && html`<p class="pager"><a href="${search}">All ${all + 1} of this name</a></p>`}`
}

const rates = [
  ["native", "Own currency"],
  ["same-day", "EUR at each day’s rate"],
  ["constant", "EUR at one rate"]
] as const

const inOneCurrency = (series: ReadonlyArray<Row>, rate: string): boolean =>
  rate === "native" && series.every((row) => row["currency"] === "EUR")

const rateSwitch = (request: PageRequest, rate: string): Html =>
  choiceLinks(
    "Currency of the charts",
    rates.map(([word, label]) => [
      label,
      `${addressWith(request, { rate: word === "native" ? null : word })}#history`,
      word === rate
    ])
  )

const unrated = (series: ReadonlyArray<Row>): boolean => Number(series[0]?.["unrated"] ?? 0) > 0

const noRates = html`<p class="note moves">
  Days without a loaded exchange rate are left out. Load the rates of the European Central Bank:
  <code>cardlake fx</code>
</p>`
