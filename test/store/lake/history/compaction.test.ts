import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { globSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { Lake, sqlText } from "../../../../src/store/lake/duckdb/Lake.ts"
import type { Part } from "../../../../src/store/home/Manifest.ts"
import { Home } from "../../../../src/store/home/Home.ts"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { runRepair } from "../../../../src/night/run/repair/runRepair.ts"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { card } from "../invented.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { lakeRows } from "../tableRows.ts"
import { isFull } from "../../../tried.ts"

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

  it.live.runIf(isFull)(
    "finds a month's record again from what its nights have on record, and refuses rows that are not theirs",
    () =>
      Effect.gen(function* () {
        const home = yield* Home
        const content = "select snapshot, product_id, low from source_price_history order by all"
        const names = "select valid_from::varchar as since, product_id, name from product_history order by all"
        const days = Array.from({ length: 3 }, (_, day) => ({
          products: [priced(1, day), card(2, { name: `Day ${day}` })]
        }))
        yield* Effect.scoped(publishNights(days))
        yield* runCompact([]).pipe(showing(Date.parse("2026-06-01T12:00:00Z")))
        const before = [yield* lakeRows(content), yield* lakeRows(names)]
        const [part = ""] = globSync("history/*/*/*/part.json", { cwd: home.root })
        const record = readFileSync(join(home.root, part), "utf8")
        const lose = () => [part, "lake.duckdb"].forEach((path) => rmSync(join(home.root, path)))
        lose()
        const { done, left } = yield* runRepair(false)
        // These readings were made by hand, without raw pages.
        assert.deepStrictEqual(
          left.filter((says) => !says.includes("/raw/")),
          []
        )
        assert.match(done.join(), /month 2026-05 .* with the rows that its nights have on record/)
        assert.deepStrictEqual([yield* lakeRows(content), yield* lakeRows(names)], before)
        const { nights, tables } = JSON.parse(record) as Part
        const again = JSON.parse(readFileSync(join(home.root, part), "utf8")) as Part
        assert.deepStrictEqual([again.nights, again.tables], [nights, tables])

        // One price of one night is another: whatever is accepted, that is not.
        const file = join(home.root, dirname(part), "source_prices.parquet")
        const session = yield* (yield* Lake).session
        const other = "select * replace (if(snapshot = 'night0', low + 1, low) as low) from prices"
        yield* session.run("Keep", `create temp table prices as from read_parquet(${sqlText(file)})`)
        yield* session.run("Change", `copy (${other}) to ${sqlText(file)} (format parquet, compression zstd)`)
        lose()
        for (const accepts of [false, true]) {
          const { left } = yield* runRepair(accepts)
          assert.include(left.join(), "its rows of night0 differ from the record")
        }
      }).pipe(Effect.scoped, Effect.provide(emptyHome))
  )
})
