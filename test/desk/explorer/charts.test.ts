import { suite, testIn } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { card, gameId } from "../../store/lake/invented.ts"
import { columnOf, drawnLines, explore, page, rows, tableOf, textOf } from "./explored.ts"
import { pricedProducts } from "./pricedProducts.ts"
import { Effect } from "effect"
import type { Home } from "../../../src/store/home/Home.ts"
import type { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { writeHeldBack } from "../../../src/store/home/HeldBack.ts"
import { emptyHome, publishNights, snapshotOf } from "../../store/lake/handMadeNights.ts"

const product = (id: number, query = "") => `/games/${gameId}/products/${id}${query}`

// The readings are on days 0, 12, 34 and 42: in thousandths 0, 285.71, 809.52 and 1000.
suite(pricedProducts, "a chart", (it) => {
  it("holds a price until the next reading: a step over days without one", function* () {
    const [eur] = drawnLines((yield* page(product(1))).html)
    assert.deepStrictEqual(eur?.lines[0]?.steps, [
      [0, 285.71, 8],
      [285.71, 809.52, 10],
      [809.52, 1000, 12]
    ])
  })

  it("has a gap where a reading found no price, and points where one stands alone and at the end", function* () {
    const [eur] = drawnLines((yield* page(product(1))).html)
    assert.deepStrictEqual(eur?.lines[1]?.steps, [
      [0, 285.71, 40],
      [809.52, 1000, 42]
    ])
    assert.deepStrictEqual(eur?.lines[1]?.points, [
      [0, 40],
      [1000, 42]
    ])
  })

  it("has low to high as a band, where a source gives both", function* () {
    const [eur, usd] = drawnLines((yield* page(product(1))).html)
    assert.deepStrictEqual(
      eur?.lines.map(({ bands }) => bands),
      [3, 0]
    )
    assert.deepStrictEqual(
      usd?.lines.map(({ bands }) => bands),
      [0]
    )
  })

  it("explains its band, where the band is cut off, its release, and its highest and lowest value of all time", function* () {
    const keys = (html: string) => [...html.matchAll(/<li class="key">([^<]*)</g)].map(([, text]) => text)
    const { html } = yield* page(product(1))
    const shaded = "shaded: low to high of the source"
    const ring = "ring: highest and lowest read of all time"
    assert.deepStrictEqual(keys(html), [shaded, ring, ring])
    const titles = [...html.matchAll(/<circle class="peak line-1"[^>]*><title>([^<]*)</g)].map(([, text]) => text)
    assert.includeMembers(titles, [
      "highest read: €12.00 on 2026-04-23",
      "lowest read: €8.00 on 2026-03-20",
      "highest read: $25.00 on 2026-05-01"
    ])
    assert.notInclude(html, 'class="cut"')
    const wide = yield* page(product(13))
    assert.include(wide.html, 'class="cut"')
    assert.deepStrictEqual(keys(wide.html), [
      shaded,
      "dashed edge: low to high goes beyond this scale, €0.01 to €900.00 in all",
      "released on 2026-04-10"
    ])
  })

  it("has the last values in its legend, and since when there is none", function* () {
    const [eur, usd] = drawnLines((yield* page(product(1))).html)
    assert.deepStrictEqual(eur?.legend, ["Source EUR Standard €9.00", "Source EUR Foil €42.00"])
    assert.deepStrictEqual(usd?.legend, ["Source USD Standard $25.00"])
    const [ended] = drawnLines((yield* page(product(4))).html)
    assert.deepStrictEqual(ended?.legend, ["Source EUR Standard €4.00 on 2026-04-01, none since 2026-04-23"])
  })

  it("has its currency and the year on its scales", function* () {
    const { html } = yield* page(product(9))
    const [drawing = ""] = /<div class="drawing">[\s\S]*?<\/div>/.exec(html) ?? []
    const texts = [...drawing.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)
    assert.includeMembers(texts, ["€60", "2026-03-20", "2026-05-01"])
  })

  it("is named for those who do not see it", function* () {
    const [eur] = drawnLines((yield* page(product(1))).html)
    assert.strictEqual(
      eur?.spoken,
      "Price sources, EUR, 2026-03-20 to 2026-05-01. Source EUR Standard: €9.00 on 2026-05-01, lowest €8.00, highest €12.00; " +
        "Source EUR Foil: €42.00 on 2026-05-01, lowest €40.00, highest €42.00"
    )
  })

  it("shows the days that its address asks for, and begins with what held on the first of them", function* () {
    const week = yield* page(product(1, "?span=7"))
    // From 24 April, when the price of the 23rd held.
    assert.deepStrictEqual(drawnLines(week.html)[0]?.lines[0]?.steps, [[0, 1000, 12]])
    assert.deepStrictEqual(columnOf(week, "Price sources, EUR", "day"), ["2026-05-01", "2026-04-23"])
    const spans = /aria-label="Days of the charts">([\s\S]*?)<\/nav>/.exec(week.html)?.[1] ?? ""
    assert.strictEqual(textOf(spans), "7 d 30 d All")
    assert.match(spans, /href="[^"]*\?span=7#chart"\s+aria-current="true"/)
    assert.strictEqual((yield* page(product(1, "?span=8"))).status, 400)
  })

  it("of one reading is a point", function* () {
    const [only] = drawnLines((yield* page(product(3))).html)
    assert.deepStrictEqual(
      only?.lines.map(({ points, steps }) => [steps, points]),
      [[[], [[1000, 5]]]]
    )
  })

  it("has no more lines than colours: others are in the next", function* () {
    const charts = drawnLines((yield* page(product(8))).html)
    assert.deepStrictEqual(
      charts.map(({ lines }) => lines.length),
      [6, 2]
    )
  })

  it("has all its values in a table, ranges too, and a mark for a reading without a price", function* () {
    assert.deepStrictEqual(tableOf(yield* page(product(1)), "Price sources, EUR"), [
      ["day", "Source EUR Standard", "Source EUR Foil"],
      ["2026-05-01", "€9.00 €6.00 to €14.00", "€42.00"],
      ["2026-04-23", "€12.00 €6.00 to €14.00", "€42.00"],
      ["2026-04-01", "€10.00 €6.00 to €14.00", "–"],
      ["2026-03-20", "€8.00 €6.00 to €14.00", "€40.00"]
    ])
  })

  it("of an expansion's value has the like-for-like index after it, in each currency", function* () {
    const set = yield* page(`/games/${gameId}/expansions/71`)
    assert.deepStrictEqual(
      drawnLines(set.html).map(({ title }) => title),
      [
        "Value of one of every card EUR",
        "Like for like, EUR: the same cards only 100 = 2026-03-20",
        "Value of one of every card USD",
        "Like for like, USD: the same cards only 100 = 2026-03-20"
      ]
    )
    const [last = {}] = yield* rows("from set_value_series(71, source_name := 'sourceEur') order by day desc limit 1")
    // 9 € of the card and 5 € of one that came new; the card alone fell from 8 by way of 10 and 12.
    assert.deepStrictEqual([Number(last["value"]), Number(last["like_for_like"])], [14, 112.5])
    assert.deepStrictEqual(
      drawnLines(set.html)
        .slice(0, 2)
        .flatMap(({ legend }) => legend),
      ["Source EUR €14.00", "Source EUR 112.50"]
    )
  })
})

const reading = (day: string, marketValue: number | null) => ({
  products: [
    card(1, {
      pricesByFinish: marketValue === null ? {} : { Standard: { sourceEur: { currency: "EUR", low: 1, marketValue } } }
    })
  ],
  completedAt: `${day}T03:00:00.000Z`
})

testIn(emptyHome).full(
  "a price chart of weekly nights has a row for every reading and none between, so that its line stays whole",
  function* () {
    yield* publishNights([reading("2026-05-01", 4), reading("2026-05-08", null), reading("2026-05-15", 6)])
    const { page } = yield* explore(yield* Effect.context<Home | Lake>())
    const product = yield* page(`/games/${gameId}/products/1`)
    assert.deepStrictEqual(tableOf(product, "Price sources, EUR"), [
      ["day", "Source EUR Standard"],
      ["2026-05-15", "€6.00"],
      ["2026-05-08", "–"],
      ["2026-05-01", "€4.00"]
    ])
  }
)

testIn(emptyHome)("a price chart marks the day of a night that was held, and its legend names it", function* () {
  yield* publishNights([reading("2026-05-01", 4), reading("2026-05-05", 6)])
  const { folder } = yield* snapshotOf("held", reading("2026-05-04", 900))
  yield* writeHeldBack(folder, { reasons: ["a price jumped"] })
  const { page } = yield* explore(yield* Effect.context<Home | Lake>())
  const { html } = yield* page(`/games/${gameId}/products/1`)
  assert.match(html, /<g class="mark"\s*><line x1="75%" x2="75%"[^>]*><text[^>]*>held<title>2026-05-04<\/title>/)
  assert.deepStrictEqual(
    [...html.matchAll(/<li class="key">([^<]*) on ([^<]*)</g)].map(([, label, day]) => [label, day]),
    [["held", "2026-05-04"]]
  )
  // A price that was never published is not drawn.
  assert.notInclude(html, "900")
})
