import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { runNight } from "../../src/night/run/runNight.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"
import { live } from "../support/suite.ts"

const game = "clockwork-orchard"
const sample = fileURLToPath(new URL("../../data/sample", import.meta.url))

live("a reading that could not be loaded is not loaded again the next night: the game is read again", function* () {
  const { home, night, services } = yield* marketplaceAndHome({ catalogue: sample })
  const inTheWay = join(home, "snapshots", `game=${game}`)
  const obstructed = runNight([game], ({ stage }) => {
    if (stage === "loading") {
      mkdirSync(join(home, "snapshots"))
      writeFileSync(inTheWay, "")
    }
    if (stage === "failed") rmSync(inTheWay)
  })
  const [failed] = (yield* Effect.provideContext(obstructed, services)).games
  assert.strictEqual(failed?.verdict, "failed")

  const [published] = (yield* night(game)).games
  assert.strictEqual(published?.verdict, "published")
  const runs = readdirSync(join(home, "raw", game))
  const extraction = JSON.parse(readFileSync(join(home, "raw", game, runs[0] ?? "", "extraction.json"), "utf8"))
  assert.deepStrictEqual([runs.length, extraction.resumedPages], [1, undefined])
})
