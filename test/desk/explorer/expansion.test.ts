import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { card, expansion, gameId, type Json, sealed } from "../../store/lake/invented.ts"
import { publishNights } from "../../store/lake/handMadeNights.ts"
import { type Answer, columnOf, page, Pages, tableOf, textOf } from "./explored.ts"
import { pricedProducts } from "./pricedProducts.ts"

const game = `/games/${gameId}`
const headOf = (answer: Answer, caption: string) => tableOf(answer, caption)[0] ?? []

const priced = (marketValue: number): Json => ({
  pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue } } }
})
/** A foil that the card does not list is no cheaper one. */
const pricedUnlisted = (marketValue: number): Json => ({
  pricesByFinish: {
    Standard: { sourceEur: { currency: "EUR", marketValue } },
    Foil: { sourceEur: { currency: "EUR", marketValue: 0.5 } }
  }
})
const inSet = (id: number, printNumber: string, more: Json = {}): Json => ({
  expansionId: id,
  expansion: { id, code: "MAR", name: `Marsh ${id}` },
  printNumber,
  ...more
})

/** Two sets of one code: twelve cards of 1 to 12 euros, of which the dearest doubles, and a card that halves. Two more without products. */
const night = (index: number) => ({
  products: [
    ...Array.from({ length: 12 }, (_, place) =>
      card(place + 1, {
        ...inSet(71, `${place + 1}/12`, { rarity: place < 9 ? "common" : "rare" }),
        ...priced(index === 1 && place === 11 ? 24 : place + 1)
      })
    ),
    sealed(50, { ...inSet(71, ""), prices: { sourceEur: { currency: "EUR", marketValue: 99 } } }),
    card(21, { name: "Æther Hound", ...inSet(72, "1"), ...pricedUnlisted(index === 1 ? 15 : 30) }),
    card(22, { name: "Æther Hound" })
  ],
  expansions: [
    expansion(71, { code: "MAR", releaseDate: "2026-05-02T00:00:00.000Z" }),
    expansion(72, { code: "MAR", releaseDate: "2020-01-01T00:00:00.000Z" }),
    expansion(73, { releaseDate: "2026-05-03T00:00:00.000Z" }),
    expansion(74)
  ]
})

const sets = Pages.over(publishNights([night(0), night(1)]))

suite(sets, "a set", (it) => {
  it("has its ten most expensive cards, which are the share of its value that the table of coverage has", function* () {
    const set = yield* page(`${game}/expansions/71`)
    assert.deepStrictEqual(columnOf(set, "The ten most", "value"), [
      "€24.00",
      ...[11, 10, 9, 8, 7, 6, 5, 4, 3].map((price) => `€${price}.00`)
    ])
    assert.strictEqual(columnOf(set, "The ten most", "change")[0], "+100.00 %")
    // 87 of 90
    assert.deepStrictEqual(columnOf(set, "Share of products", "share of the top ten"), ["96.7 %"])
    assert.deepStrictEqual(columnOf(set, "Share of products", "one of every card"), ["€90.00"])
  })

  it("is worth so much by rarity", function* () {
    const byRarity = tableOf(yield* page(`${game}/expansions/71`), "Value of one of every card, by rarity")
    const [head = [], ...rows] = byRarity
    const columns = ["rarity", "one of every card"].map((label) => head.indexOf(label))
    // 1 to 9; 10, 11 and 24
    assert.sameDeepMembers(
      rows.map((row) => columns.map((place) => row[place])),
      [
        ["common", "€45.00"],
        ["rare", "€45.00"]
      ]
    )
  })

  it("has its own movers, though another set has its code", function* () {
    const set = yield* page(`${game}/expansions/71`)
    assert.deepStrictEqual(tableOf(set, "Gainers").slice(1), [
      ["Wicker Hound 12 MAR · 12/12 · Standard", "€24.00 from €12.00", "+€12.00", "+100.00 %", "ok"]
    ])
    assert.deepStrictEqual(tableOf(set, "Losers"), [])
    const [, address = ""] = /href="([^"]*\/movers\?[^"]*)"/.exec(set.html) ?? []
    assert.strictEqual(address, `${game}/movers?set=71`)
    const movers = yield* page(address)
    assert.deepStrictEqual(tableOf(movers, "Gainers"), tableOf(set, "Gainers"))
    assert.deepStrictEqual(tableOf(movers, "Losers"), [])
  })

  it("has a form that chooses among its products by name, number, rarity, kind and price", function* () {
    const named = (query: string, id = 71) =>
      Effect.map(page(`${game}/expansions/${id}?${query}`), (set) => columnOf(set, "Products", "name"))
    assert.deepStrictEqual(yield* named("rarity=rare&min-price=11"), ["Wicker Hound 11", "Wicker Hound 12"])
    assert.deepStrictEqual(yield* named("named=3"), ["Wicker Hound 3"])
    assert.deepStrictEqual(yield* named("named=4/12"), ["Wicker Hound 4"])
    assert.deepStrictEqual(yield* named("kind=booster_box"), ["Marsh Booster Box 50"])
    assert.deepStrictEqual(yield* named("named=aEther", 72), ["Æther Hound"])
    const none = yield* page(`${game}/expansions/71?named=nowhere`)
    assert.include(textOf(none.html), "No product matches. Remove a filter.")
    assert.match(none.html, /<input\s+name="named"\s+value="nowhere"/)
  })

  it("has the price of the cheapest finish that a card lists, as a search and other printings have", function* () {
    assert.deepStrictEqual(columnOf(yield* page(`${game}/expansions/72`), "Products", "Source EUR"), ["€15.00"])
    assert.deepStrictEqual(columnOf(yield* page("/search?q=aether+hound&by=printing"), "Products", "market value"), [
      "€15.00",
      ""
    ])
    const other = yield* page(`${game}/products/22`)
    assert.deepStrictEqual(columnOf(other, "Other printings", "Source EUR"), ["€15.00"])
  })

  it("has no column that is empty in the whole game", function* () {
    const set = yield* page(`${game}/expansions/71`)
    assert.deepStrictEqual(headOf(set, "Products"), ["number", "name", "Source EUR", "rarity", "kind"])
    assert.deepStrictEqual(columnOf(set, "Share of products", "source"), ["Source EUR"])
    assert.deepStrictEqual(headOf(yield* page(`${game}/expansions`), "Expansions"), [
      "name",
      "value, Source EUR",
      "released",
      "products",
      "code",
      "priced by Source EUR"
    ])
  })

  it("is apart from the others if it is not out by the day of the last reading, or has no products", function* () {
    const list = yield* page(`${game}/expansions`)
    assert.deepStrictEqual(columnOf(list, "Expansions", "name"), [
      "Marsh 71 MAR · 2026-05-02 · 13 products",
      "Marsh 72 MAR · 2020-01-01 · 1 product"
    ])
    assert.deepStrictEqual(columnOf(list, "Expansions", "value, Source EUR"), ["€90.00", "€15.00"])
    assert.deepStrictEqual(
      columnOf(list, "Not released as of", "name").map((text) => text.slice(0, 8)),
      ["Marsh 73"]
    )
    assert.deepStrictEqual(
      columnOf(list, "Without products", "name").map((text) => text.slice(0, 8)),
      ["Marsh 74"]
    )
    assert.include(textOf(list.html), "The feed lists these sets without products")
    const file = JSON.parse((yield* page(`${game}/expansions.json`)).html) as ReadonlyArray<Json>
    assert.deepStrictEqual(
      file.map(({ expansion_id }) => Number(expansion_id)),
      [73, 71, 72, 74]
    )
  })
})

suite(pricedProducts, "a search with prices in two currencies", (it) => {
  it("says how they are in order", function* () {
    const says = "Prices in several currencies are sorted by the last loaded exchange rates"
    assert.include(textOf((yield* page("/search?q=wicker")).html), says)
    assert.notInclude(textOf((yield* page("/search?q=wicker+currency:usd")).html), says)
  })
})
