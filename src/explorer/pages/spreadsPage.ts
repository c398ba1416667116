import { Effect } from "effect"
import { type PageRequest, choiceOf, gameOf, numberOf, type Page, productAddress } from "../PageRequest.ts"
import { titleOf } from "../../contract/sourceTitles.ts"
import type { Column } from "../dataTable.ts"
import { foldedForm } from "../foldedForm.ts"
import { html, type Html } from "../../pages/html.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { listing } from "../listing.ts"
import { queryNamed } from "../queryNamed.ts"
import { sourceColumn } from "../sourceColumns.ts"
import { whyNone } from "../whyEmpty.ts"

const kinds = ["regions", "sources", "pairs", "quotes"] as const
type Kind = (typeof kinds)[number]

const titles: Readonly<Record<Kind, string>> = {
  regions: "EU against US",
  sources: "Source against marketplace",
  pairs: "Source against source",
  quotes: "Low, mid, high"
}

/** Gaps between prices of the same thing: between regions, a source and the marketplace, or within a source. */
export const spreadsPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const { gameId, name } = yield* gameOf(asked)
  const kind = yield* choiceOf(asked, "kind", kinds)
  const { form, list } = yield* tables[kind](asked, gameId)
  const choice = html`<nav class="switch" aria-label="Kinds of spreads">
    ${kinds.map(
      (one) =>
        html`<a href="${asked.path}?kind=${one}" ${one === kind && html` aria-current="true"`}>${titles[one]}</a>`
    )}
  </nav>`
  return { title: `${name}: spreads`, body: html`${pageHead(name, "Spreads")}${choice}${form}${list}` } satisfies Page
})

const regions = Effect.fnUntraced(function* (asked: PageRequest, gameId: string) {
  const fee = yield* numberOf(asked, "fee", { absent: 5, whole: false })
  const shipping = yield* numberOf(asked, "shipping", { absent: 2, whole: false })
  const minListings = yield* numberOf(asked, "min-listings", { absent: 3 })
  const list = yield* listing(asked, {
    caption:
      "EUR left after buying in one region and selling in the other, with fee and shipping paid: near mint English cards, sealed products",
    sql: queryNamed("spreads/regions"),
    parameters: { game: gameId, fee: String(fee), shipping: String(shipping), min_listings: minListings },
    columns: [
      nameColumn(gameId),
      { name: "finish", label: "finish" },
      { name: "net", label: "net", shape: "move", currency: "eur" },
      { name: "buy_in", label: "buy in", shape: "code" },
      { name: "eu_low", label: "lowest EU", shape: "price", currency: "eur" },
      { name: "na_low", label: "lowest US", shape: "price", currency: "usd" },
      { name: "na_low_eur", label: "US in EUR", shape: "price", currency: "eur" },
      { name: "eu_listings", label: "listings EU", shape: "count" },
      { name: "na_listings", label: "listings US", shape: "count" },
      { name: "eu_available_quantity", label: "for sale EU", shape: "count" },
      { name: "na_available_quantity", label: "for sale US", shape: "count" },
      { name: "rate_date", label: "rate of", shape: "day" }
    ],
    order: "net",
    down: true,
    key: ["product_id", "finish"],
    empty: whyNone(
      asked,
      { game: gameId, needs: ["listings"] },
      `Nothing has ${minListings} live listings or more in both regions, near mint and English. Try fewer.`
    )
  })
  const form = foldedForm(
    asked,
    [
      { kind: "number", name: "fee", label: "fee in percent", value: fee, step: "any" },
      { kind: "number", name: "shipping", label: "shipping in EUR", value: shipping, step: "any" },
      { kind: "number", name: "min-listings", label: "listings at least", value: minListings }
    ],
    { kept: { kind: "regions" } }
  )
  return { form: html`${form}${ratesOf("net")}`, list }
})

const sources = Effect.fnUntraced(function* (asked: PageRequest, gameId: string) {
  const minPrice = yield* numberOf(asked, "min-price", { absent: 1, whole: false })
  const minListings = yield* numberOf(asked, "min-listings", { absent: 1 })
  const list = yield* listing(asked, {
    caption: "Lowest live listing, near mint and English or sealed, against the source’s market value",
    sql: queryNamed("spreads/sources"),
    parameters: { game: gameId, min_price: String(minPrice), min_listings: minListings },
    columns: [
      nameColumn(gameId),
      { name: "finish", label: "finish" },
      { name: "region", label: "region", shape: "code" },
      { name: "percent", label: "percent", shape: "percent" },
      { name: "difference", label: "difference", shape: "move" },
      { name: "marketplace_low", label: "lowest listing", shape: "price" },
      { name: "market_value", label: "market value", shape: "price" },
      { name: "listing_count", label: "listings", shape: "count" }
    ],
    order: "percent",
    key: ["product_id", "finish", "region"],
    empty: whyNone(
      asked,
      { game: gameId, needs: ["prices", "listings"] },
      "No product has both enough live listings and such a market value. Try a lower price or fewer listings."
    )
  })
  const form = foldedForm(
    asked,
    [
      { kind: "number", name: "min-price", label: "price at least", value: minPrice, step: "any" },
      { kind: "number", name: "min-listings", label: "listings at least", value: minListings }
    ],
    { kept: { kind: "sources" } }
  )
  return { form, list }
})

const pairs = Effect.fnUntraced(function* (asked: PageRequest, gameId: string) {
  const [eur, usd] = ["sourceEur", "sourceUsd"].map((source) => titleOf(asked.lake.sources.titles, source))
  const minPrice = yield* numberOf(asked, "min-price", { absent: 1, whole: false })
  const list = yield* listing(asked, {
    caption: "Market values of the two sources, in EUR",
    sql: queryNamed("spreads/pairs"),
    parameters: { game: gameId, min_price: String(minPrice) },
    columns: [
      nameColumn(gameId),
      { name: "finish", label: "finish" },
      { name: "percent", label: "percent", shape: "percent" },
      { name: "difference", label: "difference", shape: "move", currency: "in_eur" },
      { name: "eur", label: `${eur}`, shape: "price", currency: "in_eur" },
      { name: "usd", label: `${usd}`, shape: "price", currency: "in_usd" },
      { name: "usd_in_eur", label: `${usd} in EUR`, shape: "price", currency: "in_eur" },
      { name: "rate_date", label: "rate of", shape: "day" }
    ],
    order: "percent_size",
    down: true,
    key: ["product_id", "finish"],
    empty: "Nothing is priced by both sources at such a price. Try a lower price."
  })
  const form = foldedForm(
    asked,
    [{ kind: "number", name: "min-price", label: "price at least", value: minPrice, step: "any" }],
    { kept: { kind: "pairs" } }
  )
  return { form: html`${form}${ratesOf("percent")}`, list }
})

const quotes = Effect.fnUntraced(function* (asked: PageRequest, gameId: string) {
  const minPrice = yield* numberOf(asked, "min-price", { absent: 1, whole: false })
  const list = yield* listing(asked, {
    caption: "How far apart a source’s prices are, in percent of the middle one",
    sql: queryNamed("spreads/quotes"),
    parameters: { game: gameId, min_price: String(minPrice) },
    columns: [
      nameColumn(gameId),
      { name: "finish", label: "finish" },
      sourceColumn(asked.lake.sources, "source"),
      { name: "low", label: "low", shape: "price" },
      { name: "mid", label: "mid", shape: "price" },
      { name: "high", label: "high", shape: "price" },
      { name: "low_to_mid", label: "low to mid", shape: "share" },
      { name: "low_to_high", label: "low to high", shape: "share" }
    ],
    order: "low_to_mid",
    down: true,
    key: ["product_id", "finish", "source"],
    empty: "No source gives such a middle price. Try a lower price."
  })
  const form = foldedForm(
    asked,
    [{ kind: "number", name: "min-price", label: "mid at least", value: minPrice, step: "any" }],
    { kept: { kind: "quotes" } }
  )
  return { form, list }
})

const tables = { regions, sources, pairs, quotes }

const ratesOf = (column: string): Html =>
  html`<p class="says">
    Dollars are converted at the rate of the reading’s day. Where “${column}” is empty, no rate is loaded for it:
    <code>cardlake fx</code>
  </p>`

const nameColumn = (gameId: string): Column => ({
  name: "name",
  label: "name",
  link: (row) => productAddress(gameId, row["product_id"])
})
