import { assert } from "@effect/vitest"
import { catalogueFolder } from "../store/lake/invented.ts"
import { killNights } from "./kill.ts"
import { readReferences } from "./references.ts"
import { soakGames, soakSteps } from "./soakGames.ts"
import { live } from "../support/suite.ts"

const wanted = 300
const firstSeed = Number(process.env["SOAK_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

live(
  `${wanted} kills at random moments: every night ends like an undisturbed one (SOAK_SEED=${firstSeed})`,
  function* () {
    const catalogue = yield* catalogueFolder(soakGames)
    const references = yield* readReferences(catalogue, Object.keys(soakGames), soakSteps.length)
    const seen = yield* killNights(catalogue, references, firstSeed, wanted, 12)
    console.log(`seed ${firstSeed}: ${JSON.stringify(seen)}`)
    assert.strictEqual(seen.kills, wanted)
    assert.strictEqual(seen.pagesAskedAgain, 0)
  },
  3_600_000
)
