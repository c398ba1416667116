import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { loadRates } from "../../../src/store/lake/fx/loadRates.ts"
import { idOf, card, gameId, type Json } from "../../store/lake/invented.ts"
import { publishNights } from "../../store/lake/handMadeNights.ts"
import { columnOf, page, Pages, rows, tableOf, textOf } from "./explored.ts"

const region = (currency: string, low: number) => ({
  currency,
  low,
  listingCount: 5,
  availableQuantity: 9,
  byCondition: {
    NM: {
      low,
      listingCount: 4,
      availableQuantity: 7,
      byLanguage: { en: { low, listingCount: 4, availableQuantity: 7 } }
    }
  }
})
/** Lowest listings in EUR and USD, and market values of the two sources. */
interface Figures {
  readonly low: readonly [eur: number, usd: number]
  readonly value: readonly [eur: number, usd: number]
  readonly more?: Json
}
const pricedCard = (id: number, name: string, { low, more = {}, value }: Figures) =>
  card(id, {
    name,
    expansionId: 71,
    expansion: { id: 71, code: "M71", name: "Marsh 71" },
    printNumber: String(id),
    pricesByFinish: {
      Standard: {
        sourceEur: { currency: "EUR", marketValue: value[0], ...more },
        sourceUsd: { currency: "USD", marketValue: value[1] },
        marketplace: {
          low: { amount: low[0], currency: "EUR" },
          listingCount: 10,
          availableQuantity: 18,
          regions: { eu: region("EUR", low[0]), na: region("USD", low[1]) }
        }
      }
    }
  })

const night = {
  products: [
    pricedCard(1, "Rook", { low: [8, 22], value: [2, 22], more: { low: 2, mid: 4, high: 12 } }),
    pricedCard(2, "Stoat", { low: [50, 22.01], value: [100, 55] }),
    pricedCard(3, "Newt", { low: [10, 11], value: [10, 12.1] })
  ]
}

/** 1.1 dollars are a euro: 22 are 20, 22.01 are 20.0090909…, 55 are 50, 11 are 10, 12.1 are 11. */
const traded = Pages.over(
  Effect.gen(function* () {
    yield* loadRates(idOf("fx"), {
      source: "rates.csv",
      text: "Date,USD\n2026-05-01,1.1\n",
      loadedAt: "2026-05-01T00:00:00Z"
    })
    yield* publishNights([night])
  })
)

const address = `/games/${gameId}/spreads`
const rook = "Rook M71 · 1 · Standard"
const stoat = "Stoat M71 · 2 · Standard"
const newt = "Newt M71 · 3 · Standard"

suite(traded, "the spreads of a game", (it) => {
  it("between regions say where to buy and sell, with set and number, in whole cents", function* () {
    const pieces = "4 7 for sale"
    // 50 less a fee of 5 %, less 20.01 and shipping of 2; 20 less 1, less 8 and 2; 10 less 0.5, less 10 and 2
    assert.deepStrictEqual(tableOf(yield* page(address), "Profit in EUR").slice(1), [
      [stoat, "+€25.49", "buy in North America, sell in Europe", "€50.00", "$22.01 €20.01", pieces, pieces],
      [rook, "+€9.00", "buy in Europe, sell in North America", "€8.00", "$22.00 €20.00", pieces, pieces],
      [newt, "−€2.50", "no profit", "€10.00", "$11.00 €10.00", pieces, pieces]
    ])
    assert.include(textOf((yield* page(address)).html), "Dollars are converted to euros at the rate of 2026-05-01.")
  })

  it("are after a fee and shipping, from a price and a number of listings up", function* () {
    const tableAt = (query: string, caption: string) =>
      Effect.map(page(`${address}?${query}`), (list) => tableOf(list, caption).slice(1))
    // 46 less 20.01 and 1.5; 18.4 less 8 and 1.5; 9.2 less 10 and 1.5
    const left = yield* tableAt("fee=8&shipping=1.5", "Profit in EUR")
    assert.deepStrictEqual(
      left.map((row) => row[1]),
      ["+€24.49", "+€8.90", "−€2.30"]
    )
    assert.deepStrictEqual(yield* tableAt("min-listings=5", "Profit in EUR"), [])
    assert.deepStrictEqual(yield* tableAt("kind=quotes&min-price=5", "Difference between"), [])
    const pairs = yield* tableAt("kind=pairs&min-price=60", "Market values")
    assert.deepStrictEqual(
      pairs.map(([name]) => name),
      [stoat]
    )
  })

  it("between listings and a source say how much is asked", function* () {
    const list = yield* page(`${address}?kind=sources&sort=-percent`)
    const rows = columnOf(list, "Lowest live listing", "name").map((name, index) => [
      name,
      columnOf(list, "Lowest live listing", "region")[index],
      columnOf(list, "Lowest live listing", "difference")[index]
    ])
    assert.deepStrictEqual(rows, [
      [rook, "Europe", "4 times the market value +300.00 %, +€6.00"],
      [rook, "North America", "about equal to the market value 0.00 %, $0.00"],
      [newt, "Europe", "about equal to the market value 0.00 %, €0.00"],
      [newt, "North America", "9 % below the market value −9.09 %, −$1.10"],
      [stoat, "Europe", "50 % below the market value −50.00 %, −€50.00"],
      [stoat, "North America", "60 % below the market value −59.98 %, −$32.99"]
    ])
  })

  it("between the sources say which one says more", function* () {
    const list = yield* page(`${address}?kind=pairs`)
    assert.deepStrictEqual(columnOf(list, "Market values", "difference"), [
      "Source USD is 10 times Source EUR +900.00 %, +€18.00",
      "Source EUR is 2 times Source USD −50.00 %, −€50.00",
      "Source USD is 10 % above Source EUR +10.00 %, +€1.00"
    ])
    assert.deepStrictEqual(columnOf(list, "Market values", "Source USD"), [
      "$22.00 €20.00",
      "$55.00 €50.00",
      "$12.10 €11.00"
    ])
  })

  it("within a source say how many times the low the high is", function* () {
    const list = yield* page(`${address}?kind=quotes`)
    assert.deepStrictEqual(tableOf(list, "Difference between").slice(1), [
      [rook, "Source EUR", "€2.00", "€4.00", "50.00 %", "€12.00", "250.00 % the high is 6 times the low"]
    ])
  })

  it("are the macros' figures to the last digit in a file", function* () {
    const file = JSON.parse((yield* page(`${address}.json`)).html) as ReadonlyArray<Json>
    const expected = yield* rows("select product_id, na_low_eur, net from regional_spreads() order by net desc")
    assert.deepStrictEqual(
      file.map(({ na_low_eur, net, product_id }) => [String(product_id), Number(na_low_eur), Number(net)]),
      expected.map(({ na_low_eur, net, product_id }) => [String(product_id), Number(na_low_eur), Number(net)])
    )
    // 22.01 / 1.1 is 20.00909…
    assert.match(String(file[0]?.["na_low_eur"]), /^20\.0090?9?/)
  })
})

/** Sold in Europe alone, priced by one source, and no rates. */
const unlike = Pages.over(
  Effect.gen(function* () {
    const Standard = {
      sourceUsd: { currency: "USD", marketValue: 5, mid: 4, low: 2 },
      marketplace: {
        low: { amount: 8, currency: "EUR" },
        listingCount: 10,
        availableQuantity: 18,
        regions: { eu: region("EUR", 8) }
      }
    }
    yield* publishNights([{ products: [card(1, { pricesByFinish: { Standard } })] }])
  })
)

suite(unlike, "spreads that a game cannot have", (it) => {
  it("are named with the reason, and have no tab; a column that is empty in the whole game is left out", function* () {
    const { html } = yield* page(address)
    assert.deepStrictEqual(tableOf(yield* page(`${address}?kind=quotes`), "Difference between")[0], [
      "name",
      "source",
      "low",
      "mid",
      "low to mid"
    ])
    assert.deepStrictEqual(
      [...html.matchAll(/spreads\?kind=(\w+)/g)].map(([, kind]) => kind),
      ["sources", "quotes"]
    )
    assert.include(
      textOf(html),
      "Not available for this game: EU against US: all live listings are in Europe; Source against source: only Source USD has prices."
    )
  })
})

const withoutRates = Pages.over(publishNights([night]))

suite(withoutRates, "spreads without exchange rates", (it) => {
  it("have what needs none, and the command that loads them", function* () {
    const { root } = yield* Pages
    for (const [kind, caption, head] of [
      ["regions", "Profit in EUR", ["name", "lowest EU", "lowest US", "listings EU", "listings US"]],
      ["pairs", "Market values", ["name", "Source EUR", "Source USD"]]
    ] as const) {
      const list = yield* page(`${address}?kind=${kind}`)
      assert.deepStrictEqual(tableOf(list, caption)[0], [...head])
      assert.include(
        textOf(list.html),
        "No exchange rates are loaded, so prices in dollars and euros are not compared."
      )
      assert.match(textOf(list.html), /cardlake fx eurofxref-hist\.csv --home \S/)
      assert.include(list.html, root)
    }
  })
})
