import { assert, describe } from "@effect/vitest"
import { catalogueFolder } from "../store/lake/invented.ts"
import { movedDeployments, movedGame, moves, redeployRules } from "./redeployMoves.ts"
import { placeOfSnapshot, readReferences } from "./references.ts"
import { publishedState, soakNight } from "./soakHome.ts"
import { newFolder, live } from "../support/suite.ts"

describe("a redeploy during a night", () => {
  for (const [name, to, steps] of moves) {
    live(`${name}, at every page: the Parquet files are exactly one deployment's`, function* () {
      const catalogue = yield* catalogueFolder({ [movedGame]: movedDeployments })
      const references = yield* readReferences(catalogue, [movedGame], movedDeployments.length)
      for (const { place, rule } of redeployRules(steps)) {
        const root = yield* newFolder
        const night = yield* soakNight(root, catalogue, { [movedGame]: to - steps }, { rules: [rule] })
        assert.strictEqual(night.injected.counts.redeploy, 1, place)
        const published = (yield* publishedState(root)).snapshots[movedGame]
        assert.isDefined(published, `${place}: ${night.report?.games[0]?.reason}`)
        if (published === undefined) continue
        assert.include([to, to - steps], placeOfSnapshot(references[movedGame] ?? [], published), place)
      }
    })
  }
})
