import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { gameId } from "../../store/lake/invented.ts"
import { type Answer, columnOf, page, rows, tableOf, textOf } from "./explored.ts"
import { longName, pricedProducts } from "./pricedProducts.ts"

const product = (id: number, query = "") => `/games/${gameId}/products/${id}${query}`
const prices = "Market values"
/** Every row of the prices before and after the chart. */
const boardOf = (answer: Answer): ReadonlyArray<ReadonlyArray<string>> =>
  [...answer.html.matchAll(/<table[\s\S]*?<\/table>/g)].flatMap(([html]) =>
    tableOf({ ...answer, html }, prices).slice(1)
  )
const headOf = (answer: Answer) => tableOf(answer, prices)[0]
const factOf = ({ html }: Answer, label: string): string =>
  textOf(new RegExp(`<dt>${label}</dt>\\s*<dd>([\\s\\S]*?)</dd>`).exec(html)?.[1] ?? "no such fact")

suite(pricedProducts, "the page of a product", (it) => {
  it("begins with its prices and their changes between our readings, with the days that these really were", function* () {
    const answer = yield* page(product(1))
    assert.deepStrictEqual(headOf(answer), [
      "source, finish",
      "market value 2026-05-01",
      "8 days since 2026-04-23",
      "30 days since 2026-04-01"
    ])
    assert.deepStrictEqual(boardOf(answer), [
      ["Source EUR Standard", "€9.00", "−25.00 %", "−10.00 %"],
      ["Source USD Standard", "$25.00", "+25.00 %", "+25.00 %"],
      ["Source EUR Foil", "€42.00", "0.00 %", "no price then"]
    ])
  })

  it("has the prices of price_series in its charts, and the highest and lowest of price_extremes", function* () {
    const answer = yield* page(product(1))
    const series = yield* rows(
      "select day::varchar as day, market_value::double as price from price_series(1, finish_name := 'Foil') where origin is not null order by day desc"
    )
    assert.deepStrictEqual(
      columnOf(answer, "Price sources, EUR", "Source EUR Foil"),
      series.map(({ price }) => (price === null ? "–" : `€${Number(price).toFixed(2)}`))
    )
    const extremes = yield* rows(
      "select high::double as high, high_at::date::varchar as high_at, low::double as low from price_extremes() where product_id = 1 order by source, finish"
    )
    const table = "Price sources as of"
    assert.deepStrictEqual(
      columnOf(answer, table, "highest read").map((text) => Number(text.slice(1))),
      extremes.map(({ high }) => high)
    )
    assert.deepStrictEqual(
      columnOf(answer, table, "on"),
      extremes.map(({ high_at }) => String(high_at))
    )
    assert.deepStrictEqual(
      columnOf(answer, table, "lowest read").map((text) => Number(text.slice(1))),
      extremes.map(({ low }) => low)
    )
  })

  it("calls the feed's percentages the feed's", function* () {
    const answer = yield* page(product(1))
    assert.deepStrictEqual(columnOf(answer, "Price sources as of", "feed’s 7 d"), ["", "+99.00 %", ""])
    assert.include(textOf(answer.html), "percentages come from the feed")
  })

  it("goes from prices to ids in this order", function* () {
    const { html } = yield* page(product(1))
    assert.deepStrictEqual(
      [...html.matchAll(/<h2 id="([a-z]+)"/g)].map(([, id]) => id),
      ["history", "offers", "printings", "neighbours", "changes", "facts", "ids"]
    )
  })

  it("of a card whose price ended: what it was and until when; of one that never had one: a sentence", function* () {
    assert.deepStrictEqual(boardOf(yield* page(product(4))), [
      ["Source EUR Standard", "no price €4.00 until 2026-04-01", "", ""]
    ])
    const none = yield* page(product(2))
    assert.deepStrictEqual(boardOf(none), [])
    assert.include(textOf(none.html), "No prices and no live listings as of the last reading")
    assert.notInclude(none.html, "<figure")
  })

  it("of a card that was read once has a price without a change", function* () {
    assert.deepStrictEqual(boardOf(yield* page(product(3))), [
      ["Source EUR Standard", "€5.00", "no price then", "no price then"]
    ])
  })

  it("is a file of the prices of every day, as the lake has them; a span limits its days", function* () {
    const [header, ...lines] = (yield* page(product(1).concat(".csv"))).html.trim().split("\r\n")
    assert.strictEqual(header, "chart,source,finish,day,currency,price,low,high,origin")
    const expected = yield* rows(
      ["sourceEur", "sourceUsd"]
        .map((source) => `from price_series(1, source_name := '${source}') where market_value > 0`)
        .map((sql) => `select day::varchar as day, source, finish, market_value::varchar as price ${sql}`)
        .join(" union all ")
    )
    const filled = lines.map((line) => line.split(",")).filter(([, , , , , price]) => price !== "")
    assert.deepStrictEqual(
      filled.map(([, source, finish, day, , price]) => [day, source, finish, price].join()).toSorted(),
      expected.map((row) => [row["day"], row["source"], row["finish"], row["price"]].join()).toSorted()
    )
    const week = JSON.parse((yield* page(product(1, ".json?span=7"))).html) as ReadonlyArray<{ readonly day: string }>
    assert.deepStrictEqual([...new Set(week.map(({ day }) => day))], ["2026-04-23", "2026-05-01"])
    assert.strictEqual((yield* page(product(6, ".csv"))).status, 200)
  })

  it("compares no prices in two currencies", function* () {
    assert.deepStrictEqual(boardOf(yield* page(product(5))), [
      ["Source EUR Standard", "$11.00", "€10.00 then", "€10.00 then"]
    ])
  })

  it("of a removed product has what it was, and the price that it had last", function* () {
    const answer = yield* page(product(6))
    assert.include(textOf(answer.html), "Removed from the catalogue on 2026-05-01 03:00 UTC")
    assert.deepStrictEqual(boardOf(answer), [["Source EUR Standard", "no price €7.00 until 2026-04-23", "", ""]])
  })

  it("of a sealed product says what it is", function* () {
    const answer = yield* page(product(9))
    assert.deepStrictEqual(boardOf(answer), [["Source EUR Standard", "€66.00", "0.00 %", "0.00 %"]])
    assert.strictEqual(factOf(answer, "type"), "booster box")
  })

  it("names set, number, variant and rarity below a name of any length", function* () {
    const head = (answer: Answer) =>
      textOf(/<div class="head product[^"]*">([\s\S]*?)<\/div>/.exec(answer.html)?.[1] ?? "")
    assert.strictEqual(head(yield* page(product(1))), "Wicker Hound 1 Marsh 71 · no. 2 · Showcase · rare · card")
    assert.strictEqual(head(yield* page(product(7))), `${longName} card`)
  })

  it("links to other printings, by name or by the id of the card, with what they cost", function* () {
    const answer = yield* page(product(1))
    const table = "Other printings"
    assert.deepStrictEqual(columnOf(answer, table, "set"), ["Marsh 72", "none"])
    assert.include(answer.html, '<small class="narrow">7 · 2026-01-01</small>')
    assert.deepStrictEqual(columnOf(answer, table, "released"), ["2026-01-01", ""])
    assert.deepStrictEqual(columnOf(answer, table, "Source EUR"), ["€30.00", ""])
    assert.include(answer.html, `href="/games/${gameId}/products/11"`)
  })

  it("links to the cards before and after it in the set, by number: 1, 2, 10", function* () {
    const links = (answer: Answer) =>
      [...answer.html.matchAll(/rel="(prev|next)"\s+href="([^"]*)"\s*>([^<]*)</g)].map(([, rel, , text = ""]) => [
        rel,
        text.trim()
      ])
    assert.deepStrictEqual(links(yield* page(product(1))), [
      ["prev", "← 1 Wicker Hound 3"],
      ["next", "10 Wicker Hound 2 →"]
    ])
    assert.deepStrictEqual(links(yield* page(product(3))), [["next", "2 Wicker Hound 1 →"]])
  })

  it("says its attributes and languages in words", function* () {
    const answer = yield* page(product(1))
    assert.strictEqual(factOf(answer, "card type"), "Unit")
    assert.strictEqual(factOf(answer, "domains"), "Mind, Body")
    assert.strictEqual(factOf(answer, "is token"), "no")
    assert.strictEqual(factOf(answer, "printed"), "2026-01-30")
    assert.strictEqual(factOf(answer, "languages"), "English, German, ph")
  })
})
