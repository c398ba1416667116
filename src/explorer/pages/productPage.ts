import { Effect } from "effect"
import {
  addressWith,
  type PageRequest,
  choiceOf,
  expansionAddress,
  gameOf,
  idOf,
  NotThere,
  type Page
} from "../PageRequest.ts"
import { titleOf } from "../../contract/sourceTitles.ts"
import { dataTable } from "../dataTable.ts"
import { factList } from "../../pages/tableBox.ts"
import { day, instant } from "../figures.ts"
import { html, type Html } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { priceCharts } from "../priceCharts.ts"
import {
  auditColumns,
  changeColumns,
  conditionColumns,
  idColumns,
  listingColumns,
  priceColumns
} from "../productColumns.ts"
import { queryNamed } from "../queryNamed.ts"

const names = ["prices", "listings", "conditions", "changes", "ids", "audit"] as const
const queries = Object.fromEntries(names.map((name) => [name, queryNamed(`product_${name}`)])) as Record<
  (typeof names)[number],
  string
>
const product = queryNamed("product")
const nativeSeries = queryNamed("product_series_native")
const eurSeries = queryNamed("product_series_eur")

/** Everything that the lake knows about a product: facts, prices and their history, conditions, changes, ids. */
export const productPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const game = yield* gameOf(asked)
  const id = yield* idOf(asked, "products")
  const parameters = { game: game.gameId, id }
  const [found] = yield* asked.lake.rows("Find the product", product, parameters)
  if (found === undefined) {
    return yield* new NotThere({
      what: `${game.name} never had a product ${id}`,
      next: "Look for it by name in the search field"
    })
  }
  const rate = yield* choiceOf(asked, "rate", ["native", "same-day", "constant"])
  const series = yield* rate === "native"
    ? asked.lake.rows("Read the prices", nativeSeries, parameters)
    : asked.lake.rows("Read the prices", eurSeries, { ...parameters, constant: rate === "constant" })
  const read = (name: (typeof names)[number]) =>
    asked.lake.rows(`Read the ${name} of the product`, queries[name], parameters)
  const [prices, listings, conditions] = [yield* read("prices"), yield* read("listings"), yield* read("conditions")]
  yield* asked.lake.audited
  const [changes, ids, audit] = [yield* read("changes"), yield* read("ids"), yield* read("audit")]
  const name = String(found["name"])
  const { sources } = asked.lake
  const body = html`${pageHead(game.name, name, where(game.gameId, found))}
    ${found["is_live"] !== true && html`<p class="note removed">Gone from the catalogue since ${instant(found["valid_to"])}. This is its last version.</p>`}
    ${audit.length > 0 && html`<p class="note moves">Its ids look doubtful, so a price may be another product’s: <a href="#ids">see below</a></p>`}
    ${facts(found)}
    <h2 id="prices">Prices</h2>
    ${prices.length + listings.length === 0 && html`<p class="empty">No source has a price for it, and the marketplace lists none, as of the last reading.</p>`}
    ${prices.length > 0 && dataTable("Price sources, as of the last reading", priceColumns(sources), prices)}
    ${listings.length > 0 && dataTable(`${titleOf(sources.titles, "marketplace")}: live listings, as of the last reading`, listingColumns, listings)}
    <h2 id="history">Price history</h2>
    ${rateSwitch(asked, rate)} ${unrated(series) && noRates}
    ${series.some((row) => row["price"] !== null) ? priceCharts(series, sources.titles) : html`<p class="empty">No night has a price to show${rate !== "native" && " in EUR"}.</p>`}
    ${
      conditions.length > 0 &&
      html`<h2 id="conditions">Conditions</h2>
        ${dataTable("Depth by condition and language", conditionColumns(sources), conditions)}`
    }
    <h2 id="ids">Ids in other systems</h2>
    ${ids.length === 0 ? html`<p class="empty">The feed gives it no id in another system.</p>` : dataTable("External ids, with when they were in use", idColumns(sources), ids)}
    ${audit.length > 0 && dataTable("What looks wrong with them", auditColumns(sources), audit)}
    <h2 id="changes">Changes</h2>
    <p class="says">First read ${instant(found["first_seen"])}.</p>
    ${changes.length === 0 ? html`<p class="empty">Nothing but prices has changed since.</p>` : dataTable("What changed from night to night, prices aside", changeColumns, changes)}`
  return { title: name, body } satisfies Page
})

const where = (gameId: string, found: Row): Html => {
  const expansion = found["present_expansion"] ?? found["expansion_name"] ?? null
  const parts = [
    found["print_number"],
    found["variant"],
    found["rarity"],
    found["product_category"] ?? found["product_type"]
  ]
  const rest = parts.filter((part) => part !== null && part !== undefined).join(" · ")
  const set = expansion !== null && found["expansion_id"] !== null
  return html`${set && html`<a href="${expansionAddress(gameId, found["expansion_id"])}">${String(expansion)}</a>${rest !== "" && " · "}`}${rest}`
}

const list = (value: Row[string] | undefined): string => (Array.isArray(value) ? value.join(", ") : "")
const code = (value: Row[string] | undefined): Html | "" =>
  value === null || value === undefined
    ? ""
    : html`<code>${typeof value === "string" ? value : JSON.stringify(value)}</code>`

const facts = (found: Row): Html =>
  factList([
    ["id", html`<code>${String(found["product_id"])}</code>`],
    ["slug", code(found["name_slug"])],
    ["finishes", list(found["finishes"])],
    ["languages", list(found["languages"])],
    ["released", day(found["release_date"])],
    ["attributes", code(found["attributes"])],
    ["beyond the contract", code(found["extra"])],
    ["image", code(found["image_url"])],
    ["image of the back", code(found["image_back_url"])]
  ])

const rates = [
  ["native", "Own currency"],
  ["same-day", "EUR at each day’s rate"],
  ["constant", "EUR at one rate"]
] as const

const rateSwitch = (asked: PageRequest, rate: string): Html =>
  html`<nav class="switch" aria-label="Currency of the charts">
    ${rates.map(
      ([word, label]) =>
        html`<a
          href="${addressWith(asked, { rate: word === "native" ? null : word })}#history"
          ${word === rate && html` aria-current="true"`}
          >${label}</a
        >`
    )}
  </nav>`

const unrated = (series: ReadonlyArray<Row>): boolean => Number(series[0]?.["unrated"] ?? 0) > 0

const noRates = html`<p class="note moves">
  Prices of days without a loaded exchange rate are left out. Load the rates of the European Central Bank with:
  <code>cardlake fx</code>
</p>`
