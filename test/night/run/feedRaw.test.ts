import { dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { SnapshotId } from "../../../src/feed/contract/Ids.ts"
import { readCurrent } from "../../../src/store/home/Home.ts"
import { findDamages } from "../../../src/store/lake/repair/damages.ts"
import { runPrune } from "../../../src/night/run/runPrune.ts"
import { runReplay, runReworded } from "../../../src/night/run/runReread.ts"
import { gameId } from "../../store/lake/invented.ts"
import { startCardlake } from "../../pipelines/cli.ts"
import { sumsOfTables, day, fileOf, servedDays } from "./bothVias.ts"
import { live } from "../../support/suite.ts"

const ledgerOf = (home: string): string => {
  const runs = existsSync(join(home, "raw", gameId)) ? readdirSync(join(home, "raw", gameId)) : []
  const files = runs.map((run) => join(home, "raw", gameId, run, "ledger.ndjson")).filter((file) => existsSync(file))
  return files.map((file) => readFileSync(file, "utf8")).join("")
}

live("a night killed in the middle of a download asks for no file again whose checksum still stands", function* () {
  const { asked, homeBy, sandbox } = yield* servedDays([day(10)], {
    faults: { rules: [{ kind: "drip", endpoint: "downloads", at: [3], bytes: 16, millis: 400 }] }
  })
  const { home, night, rows, settings } = yield* homeBy("feeds")
  const killed = startCardlake(["nightly"], { env: settings })
  const noted = () => ["catalog", "expansions", "prices"].filter((type) => ledgerOf(home).includes(`"feed ${type}"`))
  yield* Effect.promise(async () => {
    while (noted().length < 2) await setTimeout(20)
    killed.process.kill("SIGKILL")
    await killed.ended
  })
  const before = noted()
  assert.strictEqual(before.length, 2)
  yield* asked
  assert.strictEqual((yield* night()).verdict, "published")
  const again = yield* asked
  for (const type of ["catalog", "expansions", "prices"]) {
    assert.strictEqual(again[fileOf(type)], before.includes(type) ? undefined : 1, type)
  }
  const slow = yield* homeBy("pages")
  yield* slow.night()
  for (const { sums, table } of sumsOfTables) assert.deepStrictEqual(yield* rows(sums), yield* slow.rows(sums), table)
  assert.strictEqual(readdirSync(join(home, "raw", gameId)).length, 1)
  assert.strictEqual((yield* sandbox.injected).counts.drip, 1)
})

live.full(
  "raw files that a later night uses stay when the night that downloaded them is pruned; it can be replayed",
  function* () {
    const { deploy, homeBy } = yield* servedDays([day(10), day(11), day(12)])
    const { home, inHome, night } = yield* homeBy("feeds")
    const first = yield* night()
    for (let nth = 0; nth < 2; nth++) {
      yield* deploy
      yield* night()
    }
    const pruned = yield* inHome(runPrune({ days: null, last: 1, monthly: false }, false))
    assert.include(pruned.games[0]?.removed ?? [], first.run)
    assert.isTrue(existsSync(join(home, "raw", gameId, first.run, "pages/catalog.ndjson.gz")))
    assert.isFalse(existsSync(join(home, "snapshots", `game=${gameId}`, `snapshot=${first.run}`)))
    yield* night()
    assert.isTrue(existsSync(join(home, "raw", gameId, first.run, "pages/catalog.ndjson.gz")))
    const replayed = yield* inHome(Effect.scoped(runReplay(gameId, null)))
    assert.isTrue(replayed.equal)
    assert.deepStrictEqual(yield* inHome(Effect.flatMap(readCurrent, findDamages)), [])
  }
)

live.full(
  "replay --dialect reads feed files again, those of earlier nights too, and leaves what was read rightly",
  function* () {
    const { deploy, homeBy } = yield* servedDays([day(10), day(11)], { dialect: "live" })
    const { home, inHome, night, rows } = yield* homeBy("feeds")
    yield* night()
    yield* deploy
    const second = yield* night()
    const readings = () => readdirSync(join(home, "raw", gameId)).toSorted()
    const before = readings()
    const prices = yield* rows("from source_prices order by all")
    for (const dialect of [null, dialects.live]) {
      const done = yield* inHome(runReworded({ gameId, wanted: null, why: null }, dialect))
      assert.deepInclude(done, {
        verdict: "unchanged",
        snapshot: SnapshotId.make(second.run),
        dialect: "live",
        prices: 4,
        pricesBefore: 4
      })
    }
    const { message } = yield* Effect.flip(inHome(runReworded({ gameId, wanted: null, why: null }, dialects.spec)))
    assert.match(message, /\.ndjson\.gz uses the names of live .*--dialect live.*Nothing was changed/s)
    assert.deepStrictEqual(readings(), before)
    assert.deepStrictEqual(yield* rows("from source_prices order by all"), prices)
  }
)
