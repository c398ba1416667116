import { assert } from "@effect/vitest"
import { type FaultKind, ruleOfKind } from "../../src/market/faults/FaultPlan.ts"
import { catalogueFolder } from "../store/lake/invented.ts"
import { readReferences } from "./references.ts"
import { soak } from "./soak.ts"
import { soakGames, soakSteps } from "./soakGames.ts"
import { addCounts } from "./soakPlan.ts"
import { live } from "../support/suite.ts"

const wanted = 10_000
const nightsOfARun = 10
/** A new one each time, unless `SOAK_SEED` names a past one. */
const firstSeed = Number(process.env["SOAK_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

live(
  `under ${wanted} faults of all kinds every published snapshot equals a fault-free one (SOAK_SEED=${firstSeed})`,
  function* () {
    const counts = new Map<FaultKind, number>()
    const verdicts = new Map<string, number>()
    const sum = () => [...counts.values()].reduce((total, count) => total + count, 0)
    const catalogue = yield* catalogueFolder(soakGames)
    const references = yield* readReferences(catalogue, Object.keys(soakGames), soakSteps.length)
    let runs = 0
    for (; sum() < wanted || counts.size < ruleOfKind.size; runs++) {
      const run = yield* soak(catalogue, references, firstSeed + runs, nightsOfARun)
      addCounts(counts, Object.fromEntries(run.counts))
      for (const [verdict, count] of run.verdicts) verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + count)
      console.log(`seed ${firstSeed + runs}: ${sum()} faults`, [...run.reasons])
    }
    console.log(`${sum()} faults in ${runs} runs of ${nightsOfARun} nights from seed ${firstSeed}`)
    console.log(Object.fromEntries([...counts].toSorted()), Object.fromEntries(verdicts))
    assert.sameMembers([...counts.keys()], [...ruleOfKind.keys()])
  },
  3_600_000
)
