import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { globSync } from "node:fs"
import { Home } from "../../../src/lake/home/Home.ts"
import { wornCatalogues } from "../../diff/wornCatalogues.ts"
import { runCompact } from "../../../src/run/runCompact.ts"
import { emptyHome } from "../handMadeReading.ts"
import { card } from "../invented.ts"
import { type Happening, liveThrough } from "./keptNights.ts"
import { showing } from "../movedClock.ts"
import { publishNights } from "../publishedNights.ts"
import { lakeRows } from "../tableRows.ts"

// Real commands, on a machine that may be busy.
const priced = (id: number, low: number) =>
  card(id, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low } } } })

describe("the history", () => {
  it.live(
    "answers for every night as it was read, through compactions, prunes, rollbacks and nights without news",
    () =>
      Effect.gen(function* () {
        const [catalogues = []] = fc.sample(wornCatalogues(4, 6), { numRuns: 1, seed: 7 })
        const happenings: ReadonlyArray<Happening> = [
          "night",
          "night",
          "unchanged",
          "compact",
          // The return skips a night: what lies in the month's part followed another one.
          "rollback",
          "rollback",
          "return",
          "prune",
          "night",
          "compact"
        ]
        const done = yield* liveThrough(catalogues, happenings, (step) => [4, 7, 10].includes(step))
        assert.deepStrictEqual(done, { night: 4, unchanged: 1, compact: 2, prune: 1, rollback: 2, return: 1 })
      }).pipe(Effect.scoped, Effect.provide(emptyHome))
  )

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
      // Of the seven only the published night, and the one that a rollback returns to, keep files of their own.
      const own = globSync("snapshots/*/*/source_prices.parquet", { cwd: (yield* Home).root })
      assert.lengthOf(own, 2)
    }).pipe(Effect.scoped, Effect.provide(emptyHome))
  )
})
