import { afterAll, assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { cardlake, json, remove, settings, startCardlake, startSandbox, temporaryFolder } from "../../pipelines/cli.ts"
import { syntheticCatalogue } from "../../support/syntheticCatalogue.ts"

const game = "synthetic-1"
const products = 6000

const sandbox = await startSandbox({ catalogue: { games: syntheticCatalogue(products) } })
afterAll(sandbox.stop)

/** Pages that the complete reading of the game's one run took from disk. */
const resumedPages = (home: string): unknown => {
  const [run = "", ...others] = readdirSync(join(home, "raw", game))
  assert.deepStrictEqual(others, [])
  return JSON.parse(readFileSync(join(home, "raw", game, run, "extraction.json"), "utf8")).resumedPages
}

describe("a night that is interrupted", () => {
  it("by SIGINT while reading, then by SIGTERM while loading, says how to continue, and is continued", async () => {
    const home = temporaryFolder()
    try {
      const env = settings(sandbox.url, home)
      for (const [signal, stage] of [
        ["SIGINT", "reading products"],
        ["SIGTERM", "loading"]
      ] as const) {
        const night = startCardlake(["nightly"], { env })
        await night.shows(stage)
        night.process.kill(signal)
        const ended = await night.ended
        assert.strictEqual(ended.code, 130, stage)
        assert.match(ended.stderr, /\n\S+Z cardlake: Interrupted; .*pages read so far are stored.* cardlake nightly\n$/)
        assert.isFalse(existsSync(join(home, "lake.duckdb")))
        if (stage === "loading") assert.isAbove(Number(resumedPages(home)), 0)
      }
      const next = json(await cardlake(["nightly", "--json"], { env })) as { games: ReadonlyArray<object> }
      assert.deepInclude(next.games[0], { verdict: "published", products })
      assert.isAbove(Number(resumedPages(home)), products / 200)
    } finally {
      remove(home)
    }
  })
})
