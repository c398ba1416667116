import { testIn } from "../support/suite.ts"
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { verdictText } from "../../pipelines/night/verdictText.ts"
import { limitedNight } from "./limitedNight.ts"

testIn(NodeServices.layer)(
  "a night of 20,000 products at 60 requests a minute takes as long as doctor says, and never exceeds the limit",
  function* () {
    const { arrivedMillis, counts, expected, report, seconds } = yield* limitedNight(20_000, 60, 60_000)
    assert.deepInclude(report, { limit: 60, secondsAtLimit: expected?.seconds ?? 0 })
    assert.match(verdictText(report), /^Requests: 110; 1\.9 min at 60 a minute; [\d.]+ s waited for rate limits/m)
    // The list, two heads, expansions, 100 pages of products, the changelog, five of the pages again.
    assert.deepStrictEqual([arrivedMillis.length, expected?.requests, report.requests], [110, 110, 110])
    assert.approximately(report.seconds, expected?.seconds ?? 0, 0.1 * report.seconds)
    assert.isBelow(seconds, 120)
    assert.strictEqual(counts.refused, 0)
    assert.isAtMost(counts.most, 60)
  },
  300_000
)

testIn(NodeServices.layer)("the same night by feed files takes less than a minute, and six requests", function* () {
  const { arrivedMillis, counts, expected, report } = yield* limitedNight(20_000, 60, 60_000, "feeds")
  // The list, head and files twice, the changelog.
  assert.deepStrictEqual([arrivedMillis.length, expected?.requests, report.requests], [6, 6, 6])
  assert.deepInclude(expected?.byVia?.pages, { requests: 110 })
  assert.deepInclude(report.games[0], { verdict: "published", via: "feeds", products: 20_000 })
  assert.isBelow(report.seconds, 60)
  assert.strictEqual(counts.refused, 0)
})
