import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { loadRates } from "../../../../src/store/lake/fx/loadRates.ts"
import { Home } from "../../../../src/store/home/Home.ts"
import { emptyHome } from "../handMadeNights.ts"
import { fileRows } from "../tableRows.ts"
import { idOf } from "../invented.ts"
import { testIn } from "../../../support/suite.ts"

const sample = readFileSync(new URL("../../../../data/sample/eurofxref.csv", import.meta.url), "utf8")
const load = (text: string, at = "2026-08-22T00:00:00Z") =>
  loadRates(idOf("fx"), { source: "rates.csv", text, loadedAt: at })
const rates = Effect.flatMap(Home, ({ rates }) =>
  fileRows(`select currency, day, rate from '${rates}' order by currency, day`)
)
const shown = Effect.map(rates, (rows) => rows.map((row) => Object.values(row).join(" ")))

describe("exchange rates", () => {
  testIn(emptyHome)("of the bank's history are loaded with every digit; N/A is not a rate", function* () {
    assert.deepStrictEqual(yield* load(sample), {
      source: "rates.csv",
      currencies: 4,
      rates: 59,
      from: "2026-08-03",
      to: "2026-08-21"
    })
    const found = yield* shown
    assert.include(found, "GBP 2026-08-20 0.865480")
    assert.isFalse(found.some((rate) => rate.startsWith("TRY 2026-08-20")))
  })

  testIn(emptyHome)("of a single day are loaded from the bank's file for it, which has another form", function* () {
    yield* load("Date, USD, JPY, \n20 November 2026, 1.1000, 170.05, \n")
    assert.deepStrictEqual(yield* shown, ["JPY 2026-11-20 170.050000", "USD 2026-11-20 1.100000"])
  })

  testIn(emptyHome)("of a later file are added, and replace those of the same day", function* () {
    yield* load("Date,USD\n2026-08-20,1.1\n2026-08-19,1.2\n")
    yield* load("Date,USD\n2026-08-21,1.4\n2026-08-20,1.3\n")
    assert.deepStrictEqual(yield* shown, [
      "USD 2026-08-19 1.200000",
      "USD 2026-08-20 1.300000",
      "USD 2026-08-21 1.400000"
    ])
  })

  const faults: ReadonlyArray<readonly [what: string, text: string, reason: RegExp]> = [
    ["a web page", "<!doctype html><p>Date, please</p>", /no header that begins with Date/],
    ["an empty file", "", /no header that begins with Date/],
    ["a header alone", "Date,USD\n", /no rates/],
    [
      "a rate that is not a number",
      "Date,USD\n2026-08-20,1.1\n2026-08-19,abc\n",
      /a rate that is none \(line 3, day 2026-08-19, USD: abc\)/
    ],
    ["a rate below 0", "Date,USD\n2026-08-20,-1\n", /a rate that is none/],
    ["a rate with more decimal places than are stored", "Date,USD\n2026-08-20,1.1234567\n", /more than six places/],
    ["a day that does not exist", "Date,USD\n2026-02-31,1.1\n", /a day that is none/],
    ["rates of another currency than the euro", "Date,EUR\n2026-08-20,0.9\n", /a rate of the euro that is not 1/],
    ["a column that is not a currency", "Date,Dollar\n2026-08-20,1.1\n", /a column that is not a currency/]
  ]
  for (const [what, text, reason] of faults) {
    testIn(emptyHome)(`are refused as a whole for ${what}; what was loaded before stays`, function* () {
      yield* load("Date,USD\n2026-08-20,1.1\n")
      const error = yield* Effect.flip(load(text))
      assert.match(error.message, reason)
      assert.deepStrictEqual(yield* shown, ["USD 2026-08-20 1.100000"])
    })
  }
})
