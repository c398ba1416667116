import { assert } from "@effect/vitest"
import { catalogueFolder } from "../store/lake/invented.ts"
import { isFull } from "../tried.ts"
import { readReferences } from "./references.ts"
import { soak } from "./soak.ts"
import { soakDeployments, soakGames, soakSteps } from "./soakGames.ts"
import { live } from "../support/suite.ts"
import { ruleOfKind } from "../../src/market/faults/FaultPlan.ts"
import { pageFaultKinds } from "../support/pageFaults.ts"
import { addCounts } from "./soakPlan.ts"

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

const wanted = 10_000
const nightsOfARun = 10
/** A new one each time, unless `SOAK_SEED` names a past one. */
const firstSeed = Number(process.env["SOAK_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

if (isFull)
  live(
    `under ${wanted} faults of all kinds every published snapshot equals a fault-free one (SOAK_SEED=${firstSeed})`,
    function* () {
      const counts = new Map<string, number>()
      const verdicts = new Map<string, number>()
      const sum = () => [...counts.values()].reduce((total, count) => total + count, 0)
      const catalogue = yield* catalogueFolder(soakGames)
      const references = yield* readReferences(catalogue, Object.keys(soakGames), soakSteps.length)
      const kinds = [...ruleOfKind.keys(), ...pageFaultKinds]
      let runs = 0
      for (; sum() < wanted || counts.size < kinds.length; runs++) {
        const run = yield* soak(catalogue, references, firstSeed + runs, nightsOfARun)
        addCounts(counts, Object.fromEntries(run.counts))
        for (const [verdict, count] of run.verdicts) verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + count)
        console.log(`seed ${firstSeed + runs}: ${sum()} faults`, [...run.reasons])
      }
      console.log(`${sum()} faults in ${runs} runs of ${nightsOfARun} nights from seed ${firstSeed}`)
      console.log(Object.fromEntries([...counts].toSorted()), Object.fromEntries(verdicts))
      assert.sameMembers([...counts.keys()], kinds)
    },
    3_600_000
  )
