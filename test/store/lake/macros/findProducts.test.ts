import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { homeAfter, emptyHome, publishNights } from "../handMadeNights.ts"
import { card, expansion, sealed, idOf } from "../invented.ts"
import { loadRates } from "../../../../src/store/lake/fx/loadRates.ts"
import { readCurrent } from "../../../../src/store/home/Home.ts"
import { lockHome } from "../../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../../src/store/lake/publish/publish.ts"
import { lakeRows, lines } from "../tableRows.ts"
import { suite, testIn } from "../../../support/suite.ts"
import { tried } from "../../../tried.ts"

const eur = (marketValue: number) => ({ sourceEur: { currency: "EUR", low: 0.01, marketValue } })
const usd = (marketValue: number) => ({ sourceUsd: { currency: "USD", low: 0.01, marketValue } })
const inMarsh = { expansionId: 7, expansion: { id: 7, code: "Ma2", name: "Marsh Æons" } }
const inFen = { expansionId: 8, expansion: { id: 8, code: "FEN", name: "Fen" } }

/** Prices of the first day and of the eighth. */
const day = (index: number) => ({
  completedAt: `2026-05-0${1 + 7 * index}T03:00:00.000Z`,
  expansions: [
    expansion(7, { code: "Ma2", name: "Marsh Æons" }),
    expansion(8, { code: "FEN", name: "Fen", releaseDate: "2026-01-01T00:00:00.000Z" })
  ],
  products: [
    card(1, {
      ...inMarsh,
      name: "Æther Lantern",
      printNumber: "007",
      pricesByFinish: { Standard: eur([8, 10][index] ?? 0) }
    }),
    card(2, { ...inMarsh, name: "Aether Lantern Keeper", printNumber: "72/90", pricesByFinish: { Standard: eur(99) } }),
    card(3, {
      ...inFen,
      name: "Warden's Oath",
      printNumber: "FEN012",
      rarity: "Mythic",
      finishes: ["Standard", "Cold Foil"],
      pricesByFinish: { Standard: { ...eur(3), ...usd(4) }, "Cold Foil": eur(30) },
      externalIds: { sourceEur: [{ finish: "Standard", id: 555777 }] }
    }),
    card(4, { ...inFen, name: "Warden's Oath", rarity: "Common", pricesByFinish: { Standard: eur(5) } }),
    card(5, { name: "Oath Token", pricesByFinish: { Standard: eur(500) } }),
    card(6, { name: "Thaw // Frost", variant: "alpha" }),
    card(7, { name: "Зимний страж" }),
    card(8, { name: "青眼の白龍" }),
    card(9, { name: "_____" }),
    card(10, { name: "________ Oath", pricesByFinish: { Standard: eur(1) } }),
    card(11, { name: "100% Rain" }),
    sealed(12, { ...inFen, name: "Fen Booster Box", prices: eur(120), ean: "0400123400005" }),
    card(13, { name: "1999 World Champion", printNumber: "P44/50" }),
    card(14, { name: "L'Épée Brûlée" }),
    card(15, { name: "Frosted Lanterns", pricesByFinish: { Standard: eur(9) } }),
    card(16, { name: "Wardenoath" })
  ]
})

const searched = homeAfter(function* () {
  yield* publishNights([day(0), day(1)])
})

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const find = (said: string, more = "") =>
  Effect.map(lakeRows(`from find_products(${quoted(said)}${more}) order by place`), (rows) =>
    rows.map((row) => Number(row["product_id"]))
  )

/** What is typed, and the products that a person means, the best first. */
const searches: ReadonlyArray<readonly [said: string, found: ReadonlyArray<number>]> = [
  ["æther lantern", [1, 2]],
  ["AETHER LANTERN", [1, 2]],
  ["Lantern, Æther", [1, 2]],
  ["aeth lan", [2, 1]],
  ["athr lantern", [2, 1, 15]],
  ["aethr lantern", [2, 1]],
  ["wardens oath", [4, 3]],
  ["Warden’s Oath", [4, 3]],
  ["warden s oath", [4, 3]],
  ["wardens oath foil", [3, 4]],
  ["wardns oath", [4, 3]],
  // one word of a name that has two, and almost another name
  ["wardensoath", [4, 3, 16]],
  ["oath", [4, 3, 10, 5]],
  ["oath token", [5]],
  // of no expansion
  ["champion 50", [13]],
  ["________ oath", [10, 4, 3, 5]],
  ["_____", [9]],
  ["thaw/frost", [6]],
  ["frost // thaw", [6]],
  ["thaw alpha", [6]],
  // the name of a face
  ["frost", [6, 15]],
  // initials
  ["alk", [2]],
  ["ma2 7", [1, 2]],
  ["MA2-007", [1, 2]],
  ["ma2007", [1]],
  ["ma272", [2]],
  ["ma2 72/90", [2]],
  ["FEN012", [3]],
  ["fen 12", [3]],
  ["зимний", [7]],
  ["ЗИМНИЙ СТРАЖ", [7]],
  ["白龍", [8]],
  ["眼の", [8]],
  ["100%", [11]],
  ["%", []],
  ["_", [9]],
  ["???", []],
  ["1999 world", [13]],
  ["epee", [14]],
  ["l'épée", [14]],
  ["555777", [3]],
  ["thawfrost", [6]],
  ["fen display", [12]],
  ["boosterbox fen", [12]],
  ["hollowmere booster box", [12]],
  ["0400123400005", [12]],
  ["400123400005", [12]],
  ["wicker-hound-6", [6]],
  ["set:fen", [12, 4, 3]],
  ['set:"marsh ae"', [2, 1]],
  ["finish:foil", [3]],
  ["rarity:m", [3]],
  ["kind:sealed", [12]],
  ["kind:token", [5]],
  ["price>30", [12, 2, 5]],
  ["price>=30 price<=99", [2]],
  ["set:fen price<=5", [4, 3]],
  ["finish:foil price>20", [3]],
  ["currency:usd price>1", [3]],
  ["box kind:sealed price>1,000", []],
  ["wardens oath game:other", []],
  [`${"very long words ".repeat(100)}`, []]
]

suite(searched, "find_products", (it) => {
  for (const [said, expected] of tried(searches, (_, index) => index % 3 === 0)) {
    it(`${said.slice(0, 40)} is ${expected.length === 0 ? "nothing" : expected.join(", ")}`, function* () {
      assert.deepStrictEqual(yield* find(said), expected)
    })
  }

  it("says which words a product lacks, such as a finish; nothing is exact that lacks one", function* () {
    const told = (said: string) =>
      Effect.map(lakeRows(`from find_products(${quoted(said)}) order by place`), (rows) =>
        rows.map(({ how, missing, product_id }) => [Number(product_id), how, missing])
      )
    assert.deepStrictEqual(yield* told("wardens oath foil"), [
      [3, "exact", null],
      [4, "without", "foil"]
    ])
    assert.deepStrictEqual(yield* told("thaw frost showcase"), [[6, "without", "showcase"]])
    // A plural that another name has stands for the singular.
    assert.deepStrictEqual(yield* told("aether lanterns"), [
      [2, "words", null],
      [1, "words", null]
    ])
    // Two products have a champion in their name or none; nothing has a sparrow, the rarest word.
    assert.deepStrictEqual(yield* told("sparrow champion"), [[13, "without", "sparrow"]])
  })

  it("lists a name once with per_name, its main printing first", function* () {
    const rows = yield* lakeRows("from find_products('oath', most := 2, per_name := 2) order by place")
    assert.deepStrictEqual(
      rows.map((row) => [row["place"], row["found"], row["names"], row["printings"], row["product_id"]].map(Number)),
      [
        [1, 4, 3, 2, 3],
        [2, 4, 3, 2, 4],
        [3, 4, 3, 1, 10]
      ]
    )
  })

  it("says what a product is worth, and by how much that moved since our own reading a week before", function* () {
    const [row] = yield* lakeRows(
      "select name, finish, currency, market_value::varchar as value, value_before::varchar as before, percent, seen_before::date::varchar as day from find_products('ma2 7') limit 1"
    )
    assert.deepStrictEqual(row, {
      name: "Æther Lantern",
      finish: "Standard",
      currency: "EUR",
      value: "10.0000",
      before: "8.0000",
      percent: 25,
      day: "2026-05-01"
    })
  })

  it("says the price of the finish and currency that are named, else of the cheapest finish in EUR", function* () {
    const shown = (said: string) =>
      Effect.map(
        lakeRows(
          `select finish, currency, market_value::varchar as value from find_products(${quoted(said)}) where product_id = 3`
        ),
        ([row]) => Object.values(row ?? {})
      )
    assert.deepStrictEqual(yield* shown("wardens oath"), ["Standard", "EUR", "3.0000"])
    assert.deepStrictEqual(yield* shown("wardens oath foil"), ["Cold Foil", "EUR", "30.0000"])
    assert.deepStrictEqual(yield* shown("oath currency:usd"), ["Standard", "USD", "4.0000"])
  })

  it("gives a page of what it finds, with how many there are", function* () {
    const rows = yield* lakeRows(
      "select place, found, product_id from find_products('oath', most := 2, skip := 1) order by place"
    )
    assert.deepStrictEqual(lines(rows), ["2 4 3", "3 4 10"])
    assert.deepStrictEqual(yield* find("oath", ", game := 'other'"), [])
  })
})

const inTwoCurrencies = {
  products: [
    card(1, { name: "Heron in euros", pricesByFinish: { Standard: eur(10) } }),
    card(2, { name: "Heron in dollars", pricesByFinish: { Standard: usd(12) } }),
    card(3, { name: "Heron in fewer dollars", pricesByFinish: { Standard: usd(10.5) } }),
    card(4, { name: "Heron of no price" })
  ]
}
const herons = Effect.map(lakeRows("select name from find_products('heron') order by place"), (rows) =>
  rows.map((row) => String(row["name"]).replace("Heron ", ""))
)

// 12 dollars are 10.91 euros, 10.50 are 9.55
testIn(emptyHome)(
  "prices in two currencies are in the order of their worth by the last rate; without one, euros are first",
  function* () {
    yield* Effect.scoped(publishNights([inTwoCurrencies]))
    assert.deepStrictEqual(yield* herons, ["in euros", "in dollars", "in fewer dollars", "of no price"])
    const text = "Date,USD\n2026-05-01,1.1\n2026-04-01,2\n"
    yield* loadRates(idOf("fx"), { source: "rates.csv", text, loadedAt: "2026-05-01T00:00:00Z" })
    yield* publish(idOf("rates"), yield* readCurrent, yield* lockHome("nightly", idOf("rates")))
    assert.deepStrictEqual(yield* herons, ["in dollars", "in euros", "in fewer dollars", "of no price"])
  }
)
