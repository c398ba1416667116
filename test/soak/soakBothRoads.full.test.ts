import { assert } from "@effect/vitest"
import type { KnownDialect } from "../../src/feed/contract/dialect/dialects.ts"
import { catalogueFolder } from "../store/lake/invented.ts"
import { readReferences } from "./references.ts"
import { soakBothRoads } from "./soakBothRoads.ts"
import { soakDeployments, soakSteps } from "./soakGames.ts"
import { live } from "../support/suite.ts"

const wanted = Number(process.env["SOAK_FAULTS"] ?? 5000)
const nightsOfARun = 6
/** A new one each time, unless `SOAK_SEED` names a past one. */
const firstSeed = Number(process.env["SOAK_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

live(
  `under ${wanted} faults of feed files every snapshot by either road equals a fault-free one (SOAK_SEED=${firstSeed})`,
  function* () {
    const sizes = { alder: 230, birch: 90, cedar: 60, dogwood: 40, elder: 30, fir: 20 }
    const games = Object.fromEntries(
      Object.entries(sizes).map(([id, size], at) => [id, soakDeployments(id, 10_000 * (at + 1), size)])
    )
    const catalogue = yield* catalogueFolder(games)
    const feedsIn = (dialect: KnownDialect) =>
      readReferences(catalogue, Object.keys(games), soakSteps.length, "feeds", dialect)
    const references = {
      pages: yield* readReferences(catalogue, Object.keys(games), soakSteps.length),
      feeds: { spec: yield* feedsIn("spec"), live: yield* feedsIn("live"), "live-july": yield* feedsIn("live-july") }
    }
    const counts = new Map<string, number>()
    const roads = new Map<string, number>()
    let faults = 0
    let runs = 0
    for (; faults < wanted; runs++) {
      const run = yield* soakBothRoads(catalogue, references, firstSeed + runs, nightsOfARun)
      faults += run.faults.length
      for (const kind of run.faults) counts.set(kind, (counts.get(kind) ?? 0) + 1)
      for (const [road, games] of run.roads) roads.set(road, (roads.get(road) ?? 0) + games)
      console.log(`seed ${firstSeed + runs}: ${faults} faults of feed files in ${(runs + 1) * nightsOfARun} nights`)
    }
    console.log(Object.fromEntries([...counts].toSorted()), Object.fromEntries(roads))
    for (const verdict of ["published by feeds", "published by pages", "unchanged by feeds"]) {
      assert.isAbove(roads.get(verdict) ?? 0, 0, verdict)
    }
  },
  7_200_000
)
