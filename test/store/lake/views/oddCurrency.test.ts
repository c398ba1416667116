import { assert } from "@effect/vitest"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { card } from "../invented.ts"
import { lakeRows } from "../tableRows.ts"
import { testIn } from "../../../support/suite.ts"

testIn(emptyHome)(
  "id_audit shows prices that are far apart in the currencies that the sources say; source_against_source converts dollars, once there is a rate",
  function* () {
    const sourceEur = { currency: "EUR", marketValue: 2 }
    const sourceUsd = { currency: "JPY", marketValue: 300 }
    const inDollars = { currency: "USD", marketValue: 3 }
    yield* publishNights([
      {
        products: [
          card(1, { pricesByFinish: { Standard: { sourceEur, sourceUsd } } }),
          card(2, { pricesByFinish: { Standard: { sourceEur, sourceUsd: inDollars } } })
        ]
      }
    ])
    assert.deepStrictEqual(yield* lakeRows("select kind, detail from id_audit"), [
      { kind: "apart", detail: "2.0000 EUR, 300.0000 JPY" }
    ])
    assert.deepStrictEqual(
      yield* lakeRows(
        "select product_id, eur, usd, usd_in_eur, rate_date, difference, percent from source_against_source"
      ),
      [
        {
          product_id: "2",
          eur: "2.0000",
          usd: "3.0000",
          usd_in_eur: null,
          rate_date: null,
          difference: null,
          percent: null
        }
      ]
    )
  }
)
