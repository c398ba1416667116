import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { RetryPolicy } from "../../../src/feed/client/RetryPolicy.ts"
import type { FaultRule } from "../../../src/market/faults/FaultPlan.ts"
import { card } from "../../store/lake/invented.ts"
import { quickPolicy } from "../../feed/client/StrangeServer.ts"
import { servedDays } from "./bothVias.ts"
import { live } from "../../support/suite.ts"

const policy = { ...quickPolicy, timeoutMillis: 30_000, minuteMillis: 60_000, maxRateWaitMillis: 60_000 }
const days = Array.from({ length: 40 }, (_, of) => ({ products: [card(1, { name: `Eel ${of}` })] }))

/** What a night costs that meets a fault again and again, as the report and as the marketplace count it. */
const costs = Effect.fnUntraced(function* (via: "auto" | "feeds" | "pages", ...rules: ReadonlyArray<FaultRule>) {
  const { asked, homeBy } = yield* servedDays(days, { faults: { rules } })
  const { night } = yield* homeBy(via)
  const report = yield* Effect.provideService(night(), RetryPolicy, policy)
  const counted = Object.entries(yield* asked).filter(([path]) => path.includes("/v1/"))
  const requests = counted.reduce((sum, [, times]) => sum + times, 0)
  assert.strictEqual(report.requests, requests)
  return { verdict: report.verdict, requests, retried: report.retried }
})

// By hand: of one page, a list and the products, each round has a list of expansions, a page, the changelog, the head, and the page
// again; the list of games and the first head come once.
live("page by page, a feed that never stands still is read five times", function* () {
  const { requests, retried, verdict } = yield* costs("pages", { kind: "redeploy", endpoint: "changelog" })
  assert.deepStrictEqual([verdict, retried], ["held", 0])
  assert.isAtMost(requests, 2 + 5 * 5)
})

live("what fails for ever is sent five times", function* () {
  const failing = yield* costs("pages", { kind: "server-error", endpoint: "products" })
  // The list, a head, expansions; the page and four times the same.
  assert.deepStrictEqual(failing, { verdict: "failed", requests: 8, retried: 4 })
})

// A look is the head and what is said of the files; a round has one before, one after, and the changelog.
live.full("by feed files, ones that never stand still are read five times, and wrong ones twice", function* () {
  const moving = yield* costs("feeds", { kind: "redeploy", endpoint: "changelog" })
  assert.isAtMost(moving.requests, 1 + 5 * (2 + 2 + 1))
  assert.deepStrictEqual([moving.verdict, moving.retried], ["held", 0])
  const wrong = yield* costs("feeds", { kind: "wrong-checksum" })
  assert.deepStrictEqual(wrong, { verdict: "failed", requests: 1 + 2 * 2, retried: 0 })
})

live.full("whichever way of reading may be taken, a game is read three times", function* () {
  // Twice by its files, of which each is found wrong twice; then page by page: head, expansions, page, changelog, head, page.
  const wrong = yield* costs("auto", { kind: "wrong-checksum" })
  assert.deepStrictEqual(wrong, { verdict: "published", requests: 1 + 2 * (2 * 2) + 6, retried: 0 })
  const moving = yield* costs("auto", { kind: "redeploy", endpoint: "changelog" })
  assert.isAtMost(moving.requests, 1 + 2 * 5 * (2 + 2 + 1) + 1 + 5 * 5)
})
