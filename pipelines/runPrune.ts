import { rm } from "node:fs/promises"
import { Effect } from "effect"
import { wasPublished } from "../src/lake/Current.ts"
import { Home } from "../src/lake/Home.ts"
import { keepFeed } from "../src/lake/keepFeed.ts"
import { lakeStep } from "../src/lake/LakeError.ts"
import { publish } from "../src/lake/publish.ts"
import { removeFolder } from "../src/lake/repairHome.ts"
import type { KeepRules } from "../src/lake/retention.ts"
import { beginRun } from "./beginRun.ts"
import { planPrune, withoutPruned, type PrunePlan } from "./planPrune.ts"

/**
 * Removes what the rules do not keep, or only says what that would be. The order makes it safe to die: what removed snapshots knew of the
 * changelog is carried over, the lake is published without them, and only then files go; the next run removes what is left.
 */
export const runPrune = Effect.fn("runPrune")(function* (rules: KeepRules, isDryRun: boolean) {
  if (isDryRun) return { isDryRun, ...(yield* planPrune(rules)) }
  return { isDryRun, ...(yield* prune(rules)) }
})

const prune = Effect.fnUntraced(function* (rules: KeepRules) {
  const home = yield* Home
  const { current, lock, run } = yield* beginRun("prune")
  const plan: PrunePlan = yield* planPrune(rules)
  const next = withoutPruned(current, plan)
  for (const { gameId, removed } of plan.games) {
    const published = removed.filter((snapshot) => wasPublished(current, gameId, snapshot))
    if (published.length > 0) yield* keepFeed(gameId, published)
  }
  // Nothing is read from a report but the lake's table of runs, which is built anew now.
  yield* lakeStep("Remove run reports", () =>
    Promise.all(plan.reports.map((report) => rm(home.run(report), { force: true })))
  )
  if (plan.bytes > 0) yield* publish(run, next, lock)
  yield* lakeStep("Remove what is not kept", async () => {
    const gone = plan.games.flatMap(({ gameId, rawRuns, removed }) => [
      ...removed.flatMap((snapshot) => [home.snapshot(gameId, snapshot), home.changes(gameId, snapshot)]),
      ...rawRuns.map((runId) => home.raw(gameId, runId))
    ])
    await Promise.all(gone.map(removeFolder))
  })
  return plan
}, Effect.scoped)
