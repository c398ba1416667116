import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { sampleFolder } from "../market/Served.ts"
import { bothRoads, sumsOfTables } from "./bothRoads.ts"
import { tried } from "../tried.ts"

it.live("a night by feed files and one by pages give the same tables, deployment by deployment", () =>
  Effect.gen(function* () {
    const { feeds, pages, sandbox } = yield* bothRoads({ catalogue: sampleFolder, livePrices: "frozen" })
    for (const nth of tried([0, 1, 2, 3], (nth) => nth < 2)) {
      const fast = yield* feeds.night("emberfall")
      const slow = yield* pages.night("emberfall")
      assert.deepStrictEqual(
        fast.games.map(({ changes, reason, reconciliation, road, verdict }) => ({
          changes,
          reason,
          reconciliation,
          road,
          verdict
        })),
        slow.games.map(({ changes, reason, reconciliation, verdict }) => ({
          changes,
          reason,
          reconciliation,
          road: "feeds" as const,
          verdict
        }))
      )
      for (const { sums, table } of sumsOfTables) {
        assert.deepStrictEqual(yield* feeds.rows(sums), yield* pages.rows(sums), `${table} ${nth}`)
      }
      if (nth < 3) yield* sandbox.deploy("emberfall")
    }
  }).pipe(Effect.scoped)
)
