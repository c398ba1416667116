import { assert } from "@effect/vitest"
import { cutCompactions } from "./cutCompactions.ts"
import { months } from "./MonthsOfNights.ts"
import { deltaInStore } from "./tablesInStore.ts"

const commit = /^PUT .lakes.tables.nights._delta_log./
const cuts = [
  { of: commit, request: "lost", next: "killed" },
  { of: commit, request: "carried out", next: "well" },
  { of: /^GET .lakes.tables.drop\.json/, request: "half answered", next: "well" },
  {
    of: /^GET .lakes.tables.nights.game_id=hollowmere.snapshot_date=2026-01-30/,
    request: "half answered",
    next: "well"
  }
] as const

months("compacting in a bucket", (it) => {
  it.full("asks again, and leaves a table as it was or compacted if it is killed", function* () {
    const tried = yield* cutCompactions(deltaInStore, ["nights"], cuts, ["1"])
    assert.deepStrictEqual(tried, [1, 1, 1, 1])
  })
})
