import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { queryTable } from "../../../pipelines/lake/runQuery.ts"
import type { Home } from "../../../src/store/home/Home.ts"
import type { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { homeAfter, nightTime, publishNights } from "../../store/lake/handMadeNights.ts"
import { card, gameId, type Json } from "../../store/lake/invented.ts"
import { lakeRows } from "../../store/lake/tableRows.ts"
import { tried } from "../../tried.ts"
import { type Answer, columnOf, explore, tableOf, textOf } from "./explored.ts"
import { readReport } from "../../../src/desk/explorer/report/readReport.ts"

const priced = (id: number, marketValue: number, listed: Json = {}) =>
  card(id, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue }, ...listed } } })
const marketplace = { low: { amount: 3, currency: "EUR" }, listingCount: 2, availableQuantity: 2, regions: {} }
const night = (day: number, dear: number, cheap: number, listed?: Json) => ({
  products: [priced(1, dear, listed), priced(2, cheap), ...(day < 9 ? [priced(3, day)] : [])],
  completedAt: nightTime(day - 1)
})

/** Nights on 1, 2 and 9 May. Two prices fall and come back, a third product leaves on 9 May. One is listed on 2 May alone. No rates are loaded. */
const threeNights = homeAfter(function* () {
  yield* publishNights([night(1, 4, 0.5), night(2, 3, 0.4, { marketplace }), night(9, 4, 0.5)])
})

/** One night on 1 May, of a game without prices. */
const oneNight = homeAfter(function* () {
  yield* publishNights([{ products: [card(1)] }])
})

const inDollars = (id: number, marketValue: number) =>
  card(id, { pricesByFinish: { Standard: { sourceUsd: { currency: "USD", marketValue } } } })
const oneSource = (day: number, dollars: number) => ({
  products: [priced(1, 4), priced(2, 7), inDollars(3, dollars)],
  completedAt: nightTime(day - 1)
})

/** Nights on 1 and 2 May. Most prices are in euros and stay; the only one in dollars rises from 5 to 6. */
const rarerCurrency = homeAfter(function* () {
  yield* publishNights([oneSource(1, 5), oneSource(2, 6)])
})

const exploredHome = Effect.flatMap(Effect.context<Home | Lake>(), explore)
const emptyText = ({ html }: Answer) => textOf(/<p class="empty">([\s\S]*?)<\/p>/.exec(html)?.[1] ?? "it has rows")
const table = (sql: string) => queryTable(sql, { allowFiles: true })

const causes: ReadonlyArray<readonly [cause: string, address: string, sql: string, says: string]> = [
  [
    "too young",
    "movers?until=2026-05-01",
    "movers(until := '2026-05-01')",
    "until 2026-05-01 the game was read only on 2026-05-01. Changes appear after the next night"
  ],
  ["nothing moved", "movers?days=8", "movers(8)", "no market value changed from 2026-05-01 to 2026-05-09"],
  ["nothing moved", "movers?days=30", "movers(days := 30)", "no market value changed from 2026-05-01 to 2026-05-09"],
  [
    "filtered out",
    "movers?min-price=10",
    "movers(min_price := 5 + 5)",
    "2 prices moved from 2026-05-02 to 2026-05-09, but all are filtered out: 2 below the minimum price of 10"
  ],
  [
    "no listings",
    "movers?min-listings=1",
    "movers(min_listings := 1)",
    "the marketplace had no live listings in the last reading (2026-05-09)"
  ],
  [
    "filtered out",
    "movers?until=2026-05-02&min-listings=5",
    "movers(until := '2026-05-02', min_listings := 5)",
    "3 prices moved from 2026-05-01 to 2026-05-02, but all are filtered out: 1 below the minimum price of 1, 2 with fewer live listings than 5"
  ],
  [
    "no prices",
    "movers?source=sourceUsd",
    "movers(source_name := 'sourceUsd')",
    "no product has a market value from sourceUsd in the last reading (2026-05-09)"
  ]
]

suite(threeNights, "where nothing moved", (it) => {
  // Each cause once, on its page or by a query.
  for (const [cause, address, , says] of tried(causes, (_, index) => [0, 4, 6].includes(index))) {
    it(`the page says: ${cause} (${address})`, function* () {
      const { page } = yield* exploredHome
      const onPage = says.replace("sourceUsd", "Source USD")
      assert.strictEqual(emptyText(yield* page(`/games/${gameId}/${address}`)), `Nothing to list: ${onPage}.`)
    })
  }

  // An argument by its place, and two.
  for (const [cause, , sql, says] of tried(causes, (_, index) => [1, 5].includes(index))) {
    it(`a query says the same: ${cause} (${sql})`, function* () {
      const shown = yield* table(`select name from ${sql}`)
      assert.strictEqual(shown, `name\n────\n0 rows\nNo rows: ${says}`)
    })
  }

  it("what else leaves rows out is counted: a choice of the page, the rest of a query", function* () {
    const { page } = yield* exploredHome
    const moved =
      "2 prices moved from 2026-05-02 to 2026-05-09, but all are filtered out: 1 below the minimum price of 1, 1"
    assert.strictEqual(
      emptyText(yield* page(`/games/${gameId}/movers?kind=sealed`)),
      `Nothing to list: ${moved} by the other filters.`
    )
    const shown = yield* table("select name from movers() where percent > 500")
    assert.include(shown, `0 rows\nNo rows: ${moved} by the rest of the query`)
  })

  it("a choice is made of products as they were on the day", function* () {
    const { page } = yield* exploredHome
    const { html } = yield* page(`/games/${gameId}/movers?until=2026-05-02&kind=card`)
    assert.include(textOf(html), "Wicker Hound 3")
  })

  it("a query for rates says that none are loaded; one for something else says nothing", function* () {
    assert.include(
      yield* table("select day from fx_daily"),
      "0 rows\nNo rows: no exchange rates are loaded. Load them with: cardlake fx"
    )
    assert.match(yield* table("from products where product_id = 77"), /\n0 rows$/)
  })

  it.full("the page says of which days the prices really are", function* () {
    const { page } = yield* exploredHome
    const head = (days: number) =>
      Effect.map(page(`/games/${gameId}/movers?days=${days}`), ({ html }) =>
        textOf(/<p class="says">([\s\S]*?)<\/p>/.exec(html)?.[1] ?? "")
      )
    assert.strictEqual(yield* head(7), "From 2026-05-02 to 2026-05-09.")
    assert.strictEqual(yield* head(30), "From 2026-05-01 to 2026-05-09, 8 days: there is no older reading.")
    assert.strictEqual(yield* head(3), "From 2026-05-02 to 2026-05-09, 7 days: the last reading at least 3 days older.")
  })

  it("the macro's comment has every cause", function* () {
    const [{ comment } = {}] = yield* lakeRows("select comment from duckdb_functions() where function_name = 'movers'")
    for (const cause of [...causes.map(([cause]) => cause), "no rates"]) assert.include(String(comment), cause)
  })
})

suite(rarerCurrency, "where only the source of the rarer currency moved", (it) => {
  const row = ["Wicker Hound 3 71 · Standard", "$6.00", "+$1.00 +20.00 %"]
  it("the overview and the report list it", function* () {
    const { page } = yield* exploredHome
    const overview = yield* page("/")
    assert.deepStrictEqual(tableOf(overview, "Gainers")[1]?.slice(1), row.slice(1))
    assert.include(textOf(overview.html), "USD, 2026-05-01 to 2026-05-02")
    const { sections } = yield* readReport()
    assert.deepStrictEqual(
      sections.flatMap(({ tables }) => tables.map(({ rows }) => rows.length)),
      [1]
    )
  })

  it.full(
    "so do the movers, in whatever currency nobody chose; the reason of the other currency is true",
    function* () {
      const { page } = yield* exploredHome
      const movers = yield* page(`/games/${gameId}/movers?days=1`)
      assert.include(columnOf(movers, "Gainers", "percent"), "+20.00 %")
      assert.strictEqual(
        emptyText(yield* page(`/games/${gameId}/movers?days=1&currency=EUR`)),
        "Nothing to list: 1 price moved from 2026-05-01 to 2026-05-02, but all are filtered out: 1 in another currency than EUR."
      )
    }
  )
})

suite(oneNight, "a game without prices", (it) => {
  const none = "no product has a market value in the last reading (2026-05-01)"
  for (const [address, says] of [
    ["movers", none],
    ["spreads?kind=sources", none],
    ["spreads", "the marketplace had no live listings in the last reading (2026-05-01)"]
  ] as const) {
    it.full(`/${address} says so`, function* () {
      const { page } = yield* exploredHome
      assert.strictEqual(emptyText(yield* page(`/games/${gameId}/${address}`)), `Nothing to list: ${says}.`)
    })
  }
})
