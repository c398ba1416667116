import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cutCompactions } from "./cutCompactions.ts"
import { MonthsOfNights } from "./MonthsOfNights.ts"
import { deltaInStore } from "./tablesInStore.ts"

const tried = [
  "lost, then killed: PUT /lakes/tables/nights/_delta_log/",
  "carried out, then well: PUT /lakes/tables/nights/_delta_log/",
  "half answered, then well: GET /lakes/tables/drop.json",
  "half answered, then well: GET /lakes/tables/nights/game_id=hollowmere/snapshot_date=2026-01-30/"
]

layer(MonthsOfNights.layer, { excludeTestServices: true })("compacting in a bucket", (it) => {
  it.effect("asks again, and leaves a table as it was or compacted if it is killed", () =>
    Effect.gen(function* () {
      const cut = yield* cutCompactions(deltaInStore, ["nights"], (name) => tried.some((one) => name.startsWith(one)))
      assert.isAtLeast(cut.tried, tried.length)
    })
  )
})
