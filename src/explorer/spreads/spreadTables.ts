import { Effect } from "effect"
import { titleOf } from "../../contract/sourceTitles.ts"
import type { Field } from "../../pages/chooseForm.ts"
import { foldedForm } from "../foldedForm.ts"
import { share } from "../figures.ts"
import { html } from "../../pages/html.ts"
import type { Column } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"
import { listing } from "../listing.ts"
import { numberOf, type PageRequest } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"
import { sourceColumn } from "../sourceColumns.ts"
import { whyNone } from "../whyEmpty.ts"
import { apartColumn, centsColumn, dollarsColumn, listingsColumn, productColumn } from "./spreadColumns.ts"
import { askedWords, rangeWords, saysWords, tradeWords } from "./spreadWords.ts"

interface AskedSpreads {
  readonly gameId: string
  /** Whether a rate is loaded for the last reading: else columns that need one are left out. */
  readonly hasRate: boolean
  /** Whether any source gives a highest price. */
  readonly hasHighs: boolean
}

const regions = Effect.fnUntraced(function* (asked: PageRequest, { gameId, hasRate }: AskedSpreads) {
  const fee = yield* numberOf(asked, "fee", { absent: 5, whole: false })
  const shipping = yield* numberOf(asked, "shipping", { absent: 2, whole: false })
  const minListings = yield* numberOf(asked, "min-listings", { absent: 3 })
  const converted: ReadonlyArray<Column> = [
    { name: "net", label: "net", shape: "move", currency: "eur" },
    { name: "buy_in", label: "what to do", shape: "long", shows: tradeWords }
  ]
  const list = yield* listing(asked, {
    caption:
      "EUR left after buying in one region and selling in the other, with fee and shipping paid: near mint English cards, sealed products",
    sql: queryNamed("spreads/regions"),
    parameters: { game: gameId, fee: String(fee), shipping: String(shipping), min_listings: minListings },
    columns: [
      productColumn(gameId),
      ...(hasRate ? converted : []),
      centsColumn("eu_low", "lowest EU", "eur"),
      dollarsColumn("na_low", "lowest US", "na_low_eur"),
      listingsColumn("eu_listings", "listings EU", "eu_available_quantity"),
      listingsColumn("na_listings", "listings US", "na_available_quantity")
    ],
    order: hasRate ? "net" : "eu_low",
    down: true,
    key: ["product_id", "finish"],
    empty: whyNone(
      asked,
      { game: gameId, needs: ["listings"] },
      `Nothing has ${minListings} live listings or more in both regions, near mint and English. Try fewer.`
    )
  })
  const fields = [
    amount("fee", "fee in percent", fee),
    amount("shipping", "shipping in EUR", shipping),
    count("min-listings", "listings at least", minListings)
  ]
  return { form: foldedForm(asked, fields, { kept: { kind: "regions" } }), list }
})

const sources = Effect.fnUntraced(function* (asked: PageRequest, { gameId }: AskedSpreads) {
  const minPrice = yield* numberOf(asked, "min-price", { absent: 1, whole: false })
  const minListings = yield* numberOf(asked, "min-listings", { absent: 1 })
  const list = yield* listing(asked, {
    caption:
      "Lowest live listing, near mint and English or sealed, against what it sells for: the market value of the region’s source",
    sql: queryNamed("spreads/sources"),
    parameters: { game: gameId, min_price: String(minPrice), min_listings: minListings },
    columns: [
      productColumn(gameId),
      apartColumn((row) => askedWords(row["percent"]), "currency"),
      centsColumn("marketplace_low", "lowest listing"),
      centsColumn("market_value", "market value"),
      { name: "listing_count", label: "listings", shape: "count" },
      { name: "region", label: "region", shows: (row) => (row["region"] === "eu" ? "Europe" : "North America") }
    ],
    order: "percent",
    key: ["product_id", "finish", "region"],
    empty: whyNone(
      asked,
      { game: gameId, needs: ["prices", "listings"] },
      "No product has both enough live listings and such a market value. Try a lower price or fewer listings."
    )
  })
  const fields = [
    amount("min-price", "price at least", minPrice),
    count("min-listings", "listings at least", minListings)
  ]
  return { form: foldedForm(asked, fields, { kept: { kind: "sources" } }), list }
})

const pairs = Effect.fnUntraced(function* (asked: PageRequest, { gameId, hasRate }: AskedSpreads) {
  const [eur = "", usd = ""] = ["sourceEur", "sourceUsd"].map((source) => titleOf(asked.lake.sources.titles, source))
  const minPrice = yield* numberOf(asked, "min-price", { absent: 1, whole: false })
  const list = yield* listing(asked, {
    caption: `Market values of the two sources${hasRate ? ", compared in EUR" : ""}`,
    sql: queryNamed("spreads/pairs"),
    parameters: { game: gameId, min_price: String(minPrice) },
    columns: [
      productColumn(gameId),
      ...(hasRate ? [apartColumn((row) => saysWords(row["percent"], usd, eur), "in_eur")] : []),
      centsColumn("eur", eur, "in_eur"),
      dollarsColumn("usd", usd, "usd_in_eur")
    ],
    order: hasRate ? "percent_size" : "eur",
    down: true,
    key: ["product_id", "finish"],
    empty: "Nothing is priced by both sources at such a price. Try a lower price."
  })
  const fields = [amount("min-price", "price at least", minPrice)]
  return { form: foldedForm(asked, fields, { kept: { kind: "pairs" } }), list }
})

const quotes = Effect.fnUntraced(function* (asked: PageRequest, { gameId, hasHighs }: AskedSpreads) {
  const minPrice = yield* numberOf(asked, "min-price", { absent: 1, whole: false })
  const list = yield* listing(asked, {
    caption: "How far apart a source’s prices are, in percent of the middle one",
    sql: queryNamed("spreads/quotes"),
    parameters: { game: gameId, min_price: String(minPrice) },
    columns: [
      productColumn(gameId),
      // A phone tells sources by their currencies.
      { ...sourceColumn(asked.lake.sources, "source"), isWide: true },
      centsColumn("low", "low"),
      centsColumn("mid", "mid"),
      { name: "low_to_mid", label: "low to mid", shape: "share", shows: (row) => twoPlaces(row["low_to_mid"]) },
      ...(hasHighs ? highColumns : [])
    ],
    order: "low_to_mid",
    down: true,
    key: ["product_id", "finish", "source"],
    empty: "No source gives such a middle price. Try a lower price."
  })
  const fields = [amount("min-price", "mid at least", minPrice)]
  return { form: foldedForm(asked, fields, { kept: { kind: "quotes" } }), list }
})

/** As far apart in every row: 99.80 % below 99.76 %. */
const twoPlaces = (value: Row[string] | undefined): string =>
  (value ?? null) === null ? "" : share(Number(value).toFixed(2))

const highColumns: ReadonlyArray<Column> = [
  centsColumn("high", "high"),
  {
    name: "low_to_high",
    label: "low to high",
    shape: "long",
    shows: (row) =>
      (row["low_to_high"] ?? null) !== null &&
      html`${twoPlaces(row["low_to_high"])} <small>${rangeWords(row["low"], row["high"])}</small>`
  }
]

const amount = (name: string, label: string, value: number): Field => ({
  kind: "number",
  name,
  label,
  value,
  step: "any"
})
const count = (name: string, label: string, value: number): Field => ({ kind: "number", name, label, value })

/** A form and a list for each kind of spread. */
export const spreadTables = { regions, sources, pairs, quotes }
