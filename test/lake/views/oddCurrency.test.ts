import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { emptyHome } from "../handMadeReading.ts"
import { card } from "../invented.ts"
import { publishNights } from "../publishedNights.ts"
import { lakeRows } from "../tableRows.ts"

it.live("id_audit: prices that are far apart are shown in the currencies that the sources say", () =>
  Effect.gen(function* () {
    const sourceEur = { currency: "EUR", marketValue: 2 }
    const sourceUsd = { currency: "JPY", marketValue: 300 }
    yield* publishNights([{ products: [card(1, { pricesByFinish: { Standard: { sourceEur, sourceUsd } } })] }])
    assert.deepStrictEqual(yield* lakeRows("select kind, detail from id_audit"), [
      { kind: "apart", detail: "2.0000 EUR, 300.0000 JPY" }
    ])
  }).pipe(Effect.scoped, Effect.provide(emptyHome))
)
