import { newFolder, suite, testIn } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { removeCollection } from "../../../src/desk/own/changeOwn.ts"
import { imported, ownRows, Shelf } from "./Shelf.ts"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { loadRates } from "../../../src/store/lake/fx/loadRates.ts"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"
import { importCollection } from "../../../src/desk/own/importCollection.ts"
import { ownSql } from "../../../src/desk/own/Own.ts"
import { queryNamed } from "../../../src/desk/explorer/queryNamed.ts"
import { idOf, card, gameId } from "../../store/lake/invented.ts"
import { storeConfirmations } from "../../../src/store/lake/history/tidyHistory.ts"
import { emptyHome, publishNights } from "../../store/lake/handMadeNights.ts"

/** Cards of every kind, with what a person reckons beside them. The rate is 1.1 dollars for a euro. */
const file = [
  "product_id,finish,quantity,condition,language,grade,altered,signed,misprint,proxy,list_kind,paid,currency",
  "1,Foil,2,NM,en,,,,,,,5,EUR", // 2 × 12.34
  "1,Standard,3,LP,de,,,,,,,1.10,USD", // 3 × 1.60, the low of LP in German
  "1,Standard,1,LP,en,,,,,,,,", // 1 × 1.75, the low of LP
  "1,Standard,1,MP,en,,,,,,,,", // no such low: 2.50 of any condition
  "1,Standard,1,NM,fr,,,,,,,,", // no price of French: 2.50 of any condition
  "10,Standard,1,NM,ja,,,,,,,,", // only printed in Japanese: 3
  "13,Standard,1,,,,,,,,,,", // 11 dollars: 10 euros
  "14,Standard,4,,,,,,,,,,", // no price
  "1,Foil,1,,,PSA 10,,,,,,,",
  "1,Foil,1,,,,yes,,,,,,",
  "1,Foil,1,,,,,yes,,,,,",
  "1,Foil,1,,,,,,yes,,,,",
  "1,Foil,9,,,,,,,yes,,,",
  "1,Foil,1,,,,,,,,deck,,",
  "8,Gold,1,,,,,,,,,,",
  "11,Standard,1,,,,,,,,,,", // 5 on the first night, then none
  "12,Standard,1,,,,,,,,,,", // 20 on the last night
  "1,Foil,2,Smudged,en,,,,,,,,", // 2 × 12.34, but in which condition?
  "1,Standard,1,NM,Klingon,,,,,,,," // 2.50, but in which language?
].join("\n")

const valued = Layer.provideMerge(Layer.effectDiscard(imported("mine", file)), Shelf.layer)

suite(valued, "the worth of a collection", (it) => {
  const answers = (name: string, sql: string, rows: ReadonlyArray<string>) =>
    it(name, () => Effect.map(ownRows(sql), (found) => assert.deepStrictEqual(found, rows)))

  answers(
    "is the price of each card's finish, condition and language, or says why there is none",
    "select row, price, value, basis, why_not from collection_value() order by row",
    [
      "1 | 12.3400 | 24.6800 | market value | null",
      "2 | 1.6000 | 4.8000 | low of the condition | null",
      "3 | 1.7500 | 1.7500 | low of the condition | null",
      "4 | 2.5000 | 2.5000 | market value of any condition | null",
      "5 | 2.5000 | 2.5000 | market value of any condition | null",
      "6 | 3.0000 | 3.0000 | market value | null",
      "7 | 11.0000 | 10.0000 | market value | null",
      "8 | null | null | null | no price",
      "9 | null | null | null | graded",
      "10 | null | null | null | altered",
      "11 | null | null | null | signed",
      "12 | null | null | null | misprint",
      "13 | null | null | null | proxy",
      "15 | null | null | null | finish not known",
      "16 | null | null | null | no price",
      "17 | 20.0000 | 20.0000 | market value | null",
      "18 | 12.3400 | 24.6800 | condition unknown | null",
      "19 | 2.5000 | 2.5000 | condition unknown | null"
    ]
  )

  // 24.68 + 4.80 + 1.75 + 3 + 10 + 20 = 64.23; 5.00 apart. Without a price: 4 + 4 × 1 + 1 + 1 = 10 cards; the proxies
  // count nowhere. Paid 2 × 5 + 3 × 1.10 / 1.1 = 13 for what is worth 29.48.
  answers(
    "adds up, with what has no price of its own condition, an unknown one, and what has none at all, apart",
    "select cards, worth, value, value_of_any_condition, value_of_unknown_condition, cards_without_price, cost, gain from collection_totals()",
    ["24 | 69.2300 | 64.2300 | 5.0000 | 27.1800 | 10 | 13.0000 | 16.4800"]
  )

  // 34 cards are in the file.
  answers(
    "says of every card of the file how it counts",
    "select counts_as, rows, cards, value from collection_counts()",
    [
      "market value | 4 | 5 | 57.6800",
      "low of the condition | 2 | 4 | 6.5500",
      "market value of any condition | 2 | 2 | 5.0000",
      "condition unknown | 2 | 3 | 27.1800",
      "proxy | 1 | 9 | null",
      "no price | 2 | 5 | null",
      "altered | 1 | 1 | null",
      "finish not known | 1 | 1 | null",
      "graded | 1 | 1 | null",
      "misprint | 1 | 1 | null",
      "of a deck | 1 | 1 | null",
      "signed | 1 | 1 | null"
    ]
  )

  answers(
    "is in another currency at the day's rate, and in another source's prices",
    "select row, price, currency, value, value_currency from collection_value(to_currency := 'USD') where row = 1 union all select row, price, currency, value, value_currency from collection_value(source_name := 'sourceUsd') where value is not null",
    ["1 | 12.3400 | EUR | 27.1480 | USD", "7 | 11.0000 | USD | 10.0000 | EUR"]
  )

  it("in another currency is rounded once a row, not once a card, and its series with it", function* () {
    // 7 × 0.10 / 1.1 = 0.63636…; a card alone is 0.0909. 3 × 0.05 × 1.1 = 0.165 in dollars.
    yield* imported("rounded", "product_id,quantity,paid,currency\n2,7,0.10,USD\n2,3,,\n404,2,1.10,USD\n")
    // What was paid for a card that is not matched is converted, too.
    const rows = "select cost from collection_value() where collection = 'rounded' and cost is not null order by row"
    assert.deepStrictEqual(yield* ownRows(rows), ["0.6364", "2.0000"])
    const now = "(to_currency := 'USD') where collection = 'rounded' order by all desc limit 1"
    assert.deepStrictEqual(yield* ownRows(`select market_value from collection_totals${now}`), ["0.5500"])
    const newest = now.replace("all", "day")
    assert.deepStrictEqual(yield* ownRows(`select value from collection_value_series${newest}`), ["0.5500"])
    yield* removeCollection("rounded")
  })

  answers(
    "has no value where no rate is loaded",
    "select distinct why_not from collection_value(to_currency := 'CHF') where row = 1",
    ["no rate"]
  )

  answers(
    "on an earlier night is what the prices of then say",
    "select row, value, basis from collection_value(ts := '2026-05-01 12:00') where value is not null order by row",
    // 2 × 10; 3 × 2, 2, 2 and 2 of any condition, as lows are known of the newest reading alone; 3; 5.
    [
      "1 | 20.0000 | market value",
      "2 | 6.0000 | market value of any condition",
      "3 | 2.0000 | market value of any condition",
      "4 | 2.0000 | market value of any condition",
      "5 | 2.0000 | market value of any condition",
      "6 | 3.0000 | market value",
      "7 | 10.0000 | market value",
      "16 | 5.0000 | market value",
      "18 | 20.0000 | condition unknown",
      "19 | 2.0000 | condition unknown"
    ]
  )

  // Market values: 20 + 6 × 2 + 3 + 10 + 5 = 50; 20 + 6 × 3 + 3 + 10 = 51; 24.68 + 6 × 2.5 + 3 + 10 + 20 = 72.68.
  // Like for like: 45 → 51; 51 → 52.68.
  answers(
    "is a series with like for like beside the sum",
    "select day, value, cards, round(like_for_like, 4) from collection_value_series()",
    ["2026-05-01 | 50.0000 | 11 | 100", "2026-05-02 | 51.0000 | 10 | 113.3333", "2026-05-03 | 72.6800 | 11 | 117.0667"]
  )

  answers(
    "is one point of the newest day in the chart, whose line is the market value of every day",
    `select source, day, price from (${queryNamed("own/series").replaceAll("$collection", "null").replaceAll("$currency", "'EUR'")}) where unit is null order by all`,
    [
      "market value | 2026-05-01 | 50.00",
      "market value | 2026-05-02 | 51.00",
      "market value | 2026-05-03 | 72.68",
      "worth | 2026-05-03 | 69.23"
    ]
  )

  answers(
    "moves by what I have of it, without cards that have no price of their own",
    "select product_id, finish, cards, old, new, change_of_all from my_movers(days := 1)",
    ["1 | Foil | 2 | 10.0000 | 12.3400 | 4.6800", "1 | Standard | 6 | 3.0000 | 2.5000 | -3.0000"]
  )

  answers(
    "knows what I lack of a set, the dearest first",
    "select product_id, finish, market_value from collection_missing(72)",
    [
      "4 | Standard | 8.0000",
      "9 | Foil | 6.0000",
      "6 | Standard | 2.0000",
      "5 | Standard | 1.0000",
      "2 | Standard | 0.0500"
    ]
  )
})

const night = {
  completedAt: "2026-05-01T03:00:00.000Z",
  products: [card(1, { pricesByFinish: { Standard: { sourceUsd: { currency: "USD", marketValue: 11 } } } })]
}

testIn(emptyHome).full(
  "a collection is worth what the rate of the last reading's UTC day says, though that reading found nothing new",
  function* () {
    const folder = yield* newFolder
    const text = "Date,USD\n2026-04-30,4\n2026-05-01,1.1\n2026-05-02,1.25\n2026-05-03,2\n"
    yield* loadRates(idOf("fx"), { source: "rates.csv", text, loadedAt: "2026-05-03T00:00:00Z" })
    yield* storeConfirmations(gameId, [{ gameId, snapshot: idOf("night0"), seenAt: "2026-05-02T23:30:00.000Z" }])
    yield* publishNights([night])
    const file = join(folder, "mine.csv")
    writeFileSync(file, "product_id,quantity\n1,1\n")
    yield* importCollection({ file, name: null, add: false, game: null, currency: null })
    const session = yield* openLake
    yield* session.run("Open the cards", (yield* ownSql) ?? "")
    for (const zone of ["UTC", "Pacific/Honolulu", "Pacific/Kiritimati"]) {
      yield* session.run("Go there", `set TimeZone = '${zone}'`)
      const worth = (args: string) =>
        session.rows("Value", `select value::varchar as value from collection_totals(${args})`)
      // 11 / 1.1, then 11 / 1.25
      assert.deepStrictEqual(yield* worth("ts := '2026-05-02 12:00'"), [{ value: "10.0000" }], zone)
      assert.deepStrictEqual(yield* worth("ts := '2026-05-03 12:00'"), [{ value: "8.8000" }], zone)
      assert.deepStrictEqual(yield* worth(""), [{ value: "8.8000" }], zone)
    }
  }
)
