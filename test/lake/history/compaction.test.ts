import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { globSync } from "node:fs"
import { Home } from "../../../src/home/Home.ts"
import { runCompact } from "../../../src/run/runCompact.ts"
import { emptyHome } from "../handMadeReading.ts"
import { card } from "../invented.ts"
import { showing } from "../movedClock.ts"
import { publishNights } from "../publishedNights.ts"
import { lakeRows } from "../tableRows.ts"

const priced = (id: number, low: number) =>
  card(id, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low } } } })

describe("the history", () => {
  it.live("of an open month goes into its part once seven nights have files of their own", () =>
    Effect.gen(function* () {
      const content = `select snapshot, count(*)::int as n, bit_xor(hash(product_id, low))::varchar as content
        from source_price_history group by snapshot order by snapshot`
      const days = Array.from({ length: 7 }, (_, day) => ({ products: [priced(1, day), priced(2, 5)] }))
      yield* Effect.scoped(publishNights(days))
      const before = yield* lakeRows(content)
      const { games } = yield* runCompact([]).pipe(showing(Date.parse("2026-05-08T12:00:00Z")))
      const [game] = games
      assert.deepStrictEqual([game?.months, game?.nights, game?.rows], [["2026-05"], 7, 14])
      assert.deepStrictEqual(yield* lakeRows(content), before)
      // Only the published night and the one that a rollback returns to keep files of their own.
      const own = globSync("snapshots/*/*/source_prices.parquet", { cwd: (yield* Home).root })
      assert.lengthOf(own, 2)
    }).pipe(Effect.scoped, Effect.provide(emptyHome))
  )
})
