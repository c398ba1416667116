import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { limitedNight } from "./limitedNight.ts"

it.live(
  "a night of 20,000 products at 60 requests a minute takes as long as doctor says, and never exceeds the limit",
  () =>
    Effect.gen(function* () {
      const { arrivedMillis, counts, expected, report, seconds } = yield* limitedNight(20_000, 60, 60_000)
      // The list, two heads, expansions, 100 pages of products, the changelog, five of the pages again.
      assert.deepStrictEqual([arrivedMillis.length, expected?.requests, report.requests], [110, 110, 110])
      assert.approximately(report.seconds, expected?.seconds ?? 0, 0.1 * report.seconds)
      assert.isBelow(seconds, 120)
      assert.strictEqual(counts.refused, 0)
      assert.isAtMost(counts.most, 60)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  300_000
)
