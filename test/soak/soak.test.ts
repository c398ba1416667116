import { assert } from "@effect/vitest"
import { catalogueFolder } from "../store/lake/invented.ts"
import { readReferences } from "./references.ts"
import { soak } from "./soak.ts"
import { soakDeployments } from "./soakGames.ts"
import { live } from "../support/suite.ts"

const seed = 20_261_122

live(
  `nights under faults publish only what fault-free nights publish (seed ${seed})`,
  function* () {
    const games = { cedar: soakDeployments("cedar", 500, 250).slice(0, 2) }
    const catalogue = yield* catalogueFolder(games)
    const references = yield* readReferences(catalogue, Object.keys(games), 2)
    const { counts } = yield* soak(catalogue, references, seed, 2)
    const faults = [...counts.values()].reduce((sum, count) => sum + count, 0)
    console.log(`${faults} faults of ${counts.size} kinds, seed ${seed}`)
    assert.isAbove(faults, 20)
    assert.isAbove(counts.size, 8)
  },
  120_000
)
