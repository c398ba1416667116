import { assert } from "@effect/vitest"
import { catalogueFolder } from "../store/lake/invented.ts"
import { killNights } from "./kill.ts"
import { readReferences } from "./references.ts"
import { soakGames, soakDeployments } from "./soakGames.ts"
import { live } from "../support/suite.ts"

const firstSeed = Number(process.env["SOAK_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

/** Feed files have slugs, which each dialect writes in its own way. */
const dialect = firstSeed % 2 === 0 ? "spec" : "live"
const smallGames = {
  birch: soakDeployments("birch", 70_000, 430).slice(0, 3),
  cedar: soakDeployments("cedar", 500, 250).slice(0, 3)
}
const kills = [
  { via: "pages", wanted: 300, games: soakGames, ofVia: {} },
  { via: "feeds", wanted: Number(process.env["SOAK_KILLS"] ?? 100), games: smallGames, ofVia: { dialect } }
] as const

for (const { games, ofVia, via, wanted } of kills)
  live(
    `${wanted} kills at random moments by ${via}: every night ends like an undisturbed one (SOAK_SEED=${firstSeed})`,
    function* () {
      const catalogue = yield* catalogueFolder(games)
      const places = Object.values(games)[0]?.length ?? 0
      const spoken = via === "feeds" ? dialect : "spec"
      const references = yield* readReferences(catalogue, Object.keys(games), places, via, spoken)
      const seen = yield* killNights(catalogue, references, firstSeed, wanted, 12, { via, ...ofVia })
      console.log(`seed ${firstSeed}: ${JSON.stringify(seen)}`)
      assert.strictEqual(seen.kills, wanted)
      if (via === "feeds") assert.isAbove(seen.pagesOnDisk, 0)
      assert.strictEqual(seen.pagesAskedAgain, 0)
    },
    3_600_000
  )
