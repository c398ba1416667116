import { assert } from "@effect/vitest"
import { catalogueFolder } from "../store/lake/invented.ts"
import { killNights } from "./kill.ts"
import { readReferences } from "./references.ts"
import { soakDeployments } from "./soakGames.ts"
import { live } from "../support/suite.ts"

const wanted = Number(process.env["SOAK_KILLS"] ?? 100)
const firstSeed = Number(process.env["SOAK_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

/** Feed files have slugs, which each dialect writes in its own way. */
const dialect = firstSeed % 2 === 0 ? "spec" : "live"

live(
  `${wanted} kills of nights by feed files: every night ends like an undisturbed one (SOAK_SEED=${firstSeed})`,
  function* () {
    const games = {
      birch: soakDeployments("birch", 70_000, 430).slice(0, 3),
      cedar: soakDeployments("cedar", 500, 250).slice(0, 3)
    }
    const catalogue = yield* catalogueFolder(games)
    const references = yield* readReferences(catalogue, Object.keys(games), 3, "feeds", dialect)
    const seen = yield* killNights(catalogue, references, firstSeed, wanted, 12, { road: "feeds", dialect })
    console.log(`seed ${firstSeed}: ${JSON.stringify(seen)}`)
    assert.strictEqual(seen.kills, wanted)
    assert.isAbove(seen.pagesOnDisk, 0)
    assert.strictEqual(seen.pagesAskedAgain, 0)
  },
  3_600_000
)
