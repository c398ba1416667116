import { assert, describe } from "@effect/vitest"
import { vi } from "vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { runCompact } from "../../../src/night/run/runCompact.ts"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { runReplay } from "../../../src/night/run/runReread.ts"
import { runRollback } from "../../../src/night/run/runRollback.ts"
import { lakeServices } from "../../../pipelines/settings/services.ts"
import { lockedLake } from "../../../src/desk/explorer/console/lockToLake.ts"
import { readCurrent } from "../../../src/store/home/Home.ts"
import { lakeMatches } from "../../../src/store/lake/publish/publish.ts"
import { tinyHome, tinyMarketplace } from "../../safety/tinyNights.ts"
import { gameId } from "../lake/invented.ts"
import { newFolder, live, testIn } from "../../support/suite.ts"
import { showing } from "../../../src/night/run/showing.ts"

// Real nights, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

/** What DuckDB might take for a pattern, a text's end, part of an address, a column; other scripts. */
const names = ["a*b[c] [d {e},f}", 'it\'s; drop table--"x"', "#20%20 $1 `ls` \n|&", "env=prod", "Kärtchen 漢字 🃏"]

describe("a home whose name is strange to DuckDB", () => {
  live("works like any other: nights, compaction, diff, replay, history, rollback, console", function* () {
    const { deploy, sandbox } = yield* tinyMarketplace()
    const home = yield* tinyHome(join(yield* newFolder, ...names, "lake"), sandbox.url, sandbox.key)
    const march = Date.parse("2026-03-05T03:00:00Z")
    assert.strictEqual((yield* showing(march)(home.night)).verdict, "published")
    yield* deploy
    assert.strictEqual((yield* showing(march + 24 * 3600 * 1000)(home.night)).verdict, "published")
    const life = Effect.gen(function* () {
      assert.isTrue(yield* lakeMatches(yield* readCurrent))
      const [compacted] = (yield* runCompact([])).games
      assert.deepStrictEqual(compacted?.months, ["2026-03"])
      // Each deployment adds a card and removes one; the second adds one more.
      assert.strictEqual((yield* runDiff({ gameId, from: null, to: null })).changes.products.added, 2)
      assert.isTrue((yield* runReplay(gameId, null)).equal)
    })
    yield* Effect.provideContext(life, home.services)
    const rows =
      "select game_id, count(*)::int as rows from source_price_history group by game_id, snapshot order by all"
    assert.deepStrictEqual(yield* home.query(rows), [
      { game_id: gameId, rows: 40 },
      { game_id: gameId, rows: 41 }
    ])
    yield* Effect.provideContext(runRollback({ gameId, wanted: null, why: null }), home.services)
    const console = yield* Effect.promise(() => lockedLake(home.paths.lake))
    const counted = yield* Effect.promise(() => console.runAndReadAll("select count(*)::int from source_price_history"))
    assert.deepStrictEqual(counted.getRows(), [[40]])
    console.closeSync()
  })

  const refused: ReadonlyArray<readonly [name: string, says: RegExp]> = [
    ["what?", /cuts a path at its question mark\. Choose another home/],
    ["game=chess", /takes its folder game=chess for a column of every table\. Choose another home/],
    ["currency=EUR", /takes its folder currency=EUR for a column/]
  ]
  for (const [name, says] of refused) {
    testIn(NodeServices.layer)(`is refused before anything is read or written: ${name}`, function* () {
      const folder = yield* newFolder
      const exit = yield* Effect.exit(Layer.build(lakeServices({ CARDLAKE_HOME: join(folder, name, "lake") })))
      assert.match(Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "it was taken", says)
      assert.deepStrictEqual(readdirSync(folder), [])
    })
  }
})
