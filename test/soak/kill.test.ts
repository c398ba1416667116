import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { catalogueFolder } from "../lake/catalogueFolder.ts"
import { killNights } from "./kill.ts"
import { readReferences } from "./references.ts"
import { soakDeployments } from "./soakGames.ts"

const seed = 4

it.live(
  `a night killed three times at random moments ends as an undisturbed one (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const games = { cedar: soakDeployments("cedar", 500, 650).slice(0, 2) }
      const catalogue = yield* catalogueFolder(games)
      const references = yield* readReferences(catalogue, Object.keys(games), 2)
      const seen = yield* killNights(catalogue, references, seed, 3, 3)
      console.log(`seed ${seed}: ${JSON.stringify(seen)}`)
      assert.strictEqual(seen.kills, 3)
      assert.strictEqual(seen.pagesAskedAgain, 0)
    }),
  180_000
)
