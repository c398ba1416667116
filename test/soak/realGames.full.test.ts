import { assert, describe } from "@effect/vitest"
import { hasRealCatalogue, realCatalogue } from "../pipelines/realCatalogue.ts"
import { placeOfSnapshot } from "./references.ts"
import { filesWithKey, publishedState, soakNight } from "./soakHome.ts"
import { seededNumbers, soakPlan } from "./soakPlan.ts"
import { newFolder, live } from "../support/suite.ts"

const seed = 3
/** Without a redeploy: a real one may change only prices, and nothing in the contract shows that. */
const plan = (() => {
  const { rules = [], ...rest } = soakPlan(seededNumbers(seed), "passing")
  return { ...rest, rules: rules.filter((rule) => rule.kind !== "redeploy") }
})()

describe.skipIf(!hasRealCatalogue)("the real games, where the real catalogue is at hand", () => {
  live(
    `a night under faults publishes what a night without them does (seed ${seed})`,
    function* () {
      const calm = yield* newFolder
      yield* soakNight(calm, realCatalogue, {})
      const stormy = yield* newFolder
      const { injected, report, requests } = yield* soakNight(stormy, realCatalogue, {}, plan)
      console.log(`${injected.list.length} faults in ${requests.size} requests`, injected.counts)
      const wanted = (yield* publishedState(calm)).snapshots
      const { lake, snapshots } = yield* publishedState(stormy)
      assert.isAbove(Object.keys(wanted).length, 2)
      for (const [gameId, reference] of Object.entries(wanted)) {
        const published = snapshots[gameId]
        assert.isDefined(published, JSON.stringify(report))
        if (published === undefined) continue
        assert.strictEqual(placeOfSnapshot([reference], published), 0, gameId)
        assert.strictEqual(lake[gameId]?.snapshot, published.snapshot)
      }
      assert.deepStrictEqual(filesWithKey(stormy), [])
    },
    1_800_000
  )
})
