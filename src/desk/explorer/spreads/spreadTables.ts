import { Effect } from "effect"
import { sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { amountField, type Field } from "../../pages/chooseForm.ts"
import { share, counted, type Column, productColumn, sourceColumn } from "../dataTable.ts"
import { html } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { listing } from "../listing.ts"
import { readNumber, type PageRequest } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"
import { whyNone } from "../whyEmpty.ts"
import { apartColumn, centsColumn, dollarsColumn, listingsColumn } from "./spreadColumns.ts"
import type { Json } from "@duckdb/node-api"

/** The trade that exploits a spread between regions. */
const tradeWords = (row: Row): string => {
  if (row["net"] === null || row["net"] === undefined) return ""
  if (Number(row["net"]) <= 0) return "no profit"
  return row["buy_in"] === "eu" ? "buy in Europe, sell in North America" : "buy in North America, sell in Europe"
}

/** Compares two figures by their difference in percent: 3 times, 20 % above, 20 % below. */
const comparedWords = (percent: number): string => {
  if (percent >= 100) return `${timesText(1 + percent / 100)} times`
  const whole = Math.round(Math.abs(percent))
  return whole === 0 ? "about equal to" : `${whole} % ${percent > 0 ? "above" : "below"}`
}

/** Compares a listing with a market value: 3 times the market value. */
const listingWords = (percent: Json | undefined): string =>
  percent === null || percent === undefined ? "" : `${comparedWords(Number(percent))} the market value`

/** Compares two sources: TCGplayer is 3 times Cardmarket. */
const saysWords = (percent: Json | undefined, first: string, second: string): string => {
  if (percent === null || percent === undefined) return ""
  // "Half" of one price is easier to read as "2 times" the other.
  const isHalf = Number(percent) <= -50 && Number(percent) > -100
  const [one, other] = isHalf ? [second, first] : [first, second]
  const compared = comparedWords(isHalf ? 10_000 / (100 + Number(percent)) - 100 : Number(percent))
  return `${one} is ${compared} ${other}`
}

/** Compares a high price with a low one: the high is 3 times the low. */
const rangeWords = (low: Json | undefined, high: Json | undefined): string => {
  const [least, most] = [Number(low ?? 0), Number(high ?? 0)]
  return least > 0 && most >= least ? `the high is ${timesText(most / least)} times the low` : ""
}

/** Formats a factor: 3, 2.4, 1,200. */
const timesText = (times: number): string =>
  times >= 10 ? counted(Math.round(times)) : times.toFixed(1).replace(/\.0$/, "")

/** The columns that distinguish a product from others of its name. */
const printing = ["expansion_code", "print_number", "finish"]

interface SpreadQuery {
  readonly gameId: string
  /** True if a rate is loaded for the last reading; without one, columns that need it are left out. */
  readonly hasRate: boolean
  /** True if any source has a highest price. */
  readonly hasHighs: boolean
}

const regions = Effect.fnUntraced(function* (request: PageRequest, { gameId, hasRate }: SpreadQuery) {
  const fee = yield* readNumber(request, "fee", { absent: 5, whole: false })
  const shipping = yield* readNumber(request, "shipping", { absent: 2, whole: false })
  const minListings = yield* readNumber(request, "min-listings", { absent: 3 })
  const converted: ReadonlyArray<Column> = [
    { name: "net", label: "net", shape: "move", currency: "eur" },
    { name: "buy_in", label: "trade", shape: "long", shows: tradeWords }
  ]
  const list = yield* listing(request, {
    caption:
      "Profit in EUR of buying in one region and selling in the other, after fee and shipping: near mint English cards and sealed products",
    sql: queryNamed("spreads/regions"),
    parameters: { game: gameId, fee: String(fee), shipping: String(shipping), min_listings: minListings },
    columns: [
      productColumn(printing, { gameId }),
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
      request,
      { game: gameId, needs: ["listings"] },
      `No product has ${minListings} or more near mint English listings in both regions. Try fewer.`
    )
  })
  const fields = [
    amountField("fee", "fee in percent", fee),
    amountField("shipping", "shipping in EUR", shipping),
    count("min-listings", "min. listings", minListings)
  ]
  return { fields, list }
})

const sources = Effect.fnUntraced(function* (request: PageRequest, { gameId }: SpreadQuery) {
  const minPrice = yield* readNumber(request, "min-price", { absent: 1, whole: false })
  const minListings = yield* readNumber(request, "min-listings", { absent: 1 })
  const list = yield* listing(request, {
    caption:
      "Lowest live listing (near mint and English, or sealed) compared with the market value of the region’s price source",
    sql: queryNamed("spreads/sources"),
    parameters: { game: gameId, min_price: String(minPrice), min_listings: minListings },
    columns: [
      productColumn(printing, { gameId }),
      apartColumn((row) => listingWords(row["percent"]), "currency"),
      centsColumn("marketplace_low", "lowest listing"),
      centsColumn("market_value", "market value"),
      { name: "listing_count", label: "listings", shape: "count" },
      { name: "region", label: "region", shows: (row) => (row["region"] === "eu" ? "Europe" : "North America") }
    ],
    order: "percent",
    key: ["product_id", "finish", "region"],
    empty: whyNone(
      request,
      { game: gameId, needs: ["prices", "listings"] },
      "No product has this market value and this number of listings. Try lower limits."
    )
  })
  const fields = [amountField("min-price", "min. price", minPrice), count("min-listings", "min. listings", minListings)]
  return { fields, list }
})

const pairs = Effect.fnUntraced(function* (request: PageRequest, { gameId, hasRate }: SpreadQuery) {
  const [eur = "", usd = ""] = ["sourceEur", "sourceUsd"].map((source) =>
    sourceTitle(request.lake.sources.titles, source)
  )
  const minPrice = yield* readNumber(request, "min-price", { absent: 1, whole: false })
  const list = yield* listing(request, {
    caption: `Market values of the two sources${hasRate ? ", compared in EUR" : ""}`,
    sql: queryNamed("spreads/pairs"),
    parameters: { game: gameId, min_price: String(minPrice) },
    columns: [
      productColumn(printing, { gameId }),
      ...(hasRate ? [apartColumn((row) => saysWords(row["percent"], usd, eur), "in_eur")] : []),
      centsColumn("eur", eur, "in_eur"),
      dollarsColumn("usd", usd, "usd_in_eur")
    ],
    order: hasRate ? "percent_size" : "eur",
    down: true,
    key: ["product_id", "finish"],
    empty: "No product has a price this high at both sources. Try a lower price."
  })
  const fields = [amountField("min-price", "min. price", minPrice)]
  return { fields, list }
})

const quotes = Effect.fnUntraced(function* (request: PageRequest, { gameId, hasHighs }: SpreadQuery) {
  const minPrice = yield* readNumber(request, "min-price", { absent: 1, whole: false })
  const list = yield* listing(request, {
    caption: "Difference between a source’s prices, in percent of the middle price",
    sql: queryNamed("spreads/quotes"),
    parameters: { game: gameId, min_price: String(minPrice) },
    columns: [
      productColumn(printing, { gameId }),
      // On a phone, the currencies distinguish the sources.
      { ...sourceColumn(request.lake.sources, "source"), isWide: true },
      centsColumn("low", "low"),
      centsColumn("mid", "mid"),
      { name: "low_to_mid", label: "low to mid", shape: "share", shows: (row) => twoPlaces(row["low_to_mid"]) },
      ...(hasHighs ? highColumns : [])
    ],
    order: "low_to_mid",
    down: true,
    key: ["product_id", "finish", "source"],
    empty: "No source gives a middle price this high. Try a lower price."
  })
  const fields = [amountField("min-price", "min. mid price", minPrice)]
  return { fields, list }
})

/** Formats a percentage with two decimals in every row, so that rows compare: 99.80 % and 99.76 %. */
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

const count = (name: string, label: string, value: number): Field => ({ kind: "number", name, label, value })

export const spreadTables = { regions, sources, pairs, quotes }
