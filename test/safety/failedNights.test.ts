import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runNight } from "../../src/night/run/runNight.ts"
import { live } from "../support/suite.ts"
import { gameId, idOf } from "../store/lake/invented.ts"
import { jsonFile, tinyMarketplace } from "./tinyNights.ts"
import type { RunId } from "../../src/feed/contract/Ids.ts"
import { listRuns } from "../../src/night/observe/RunReport.ts"
import { correctReports } from "../../src/night/run/beginRun.ts"
import { runCompact } from "../../src/night/run/runCompact.ts"
import { cardlake } from "../pipelines/cli.ts"
import { deadPid, leave } from "../store/home/locks.ts"
import { withSum } from "./hostileTexts.ts"

live("a reading that could not be loaded is not loaded again the next night: the game is read again", function* () {
  const { night, root, services } = yield* (yield* tinyMarketplace()).newHome
  const inTheWay = join(root, "snapshots", `game=${gameId}`)
  const obstructed = runNight([gameId], ({ stage }) => {
    if (stage === "loading") {
      mkdirSync(join(root, "snapshots"))
      writeFileSync(inTheWay, "")
    }
    if (stage === "failed") rmSync(inTheWay)
  })
  const [failed] = (yield* Effect.provideContext(obstructed, services)).games
  assert.strictEqual(failed?.verdict, "failed")

  const [published] = (yield* night).games
  assert.strictEqual(published?.verdict, "published")
  const runs = readdirSync(join(root, "raw", gameId))
  const extraction = JSON.parse(readFileSync(join(root, "raw", gameId, runs[0] ?? "", "extraction.json"), "utf8"))
  assert.deepStrictEqual([runs.length, extraction.resumedPages], [1, undefined])
})

live("a night without news that cannot be published is reported as failed, not as unchanged", function* () {
  const { newHome } = yield* tinyMarketplace()
  const home = yield* newHome
  const { run } = yield* home.night
  const file = join(home.paths.snapshot(gameId, idOf(run)), "products.parquet")
  const bytes = readFileSync(file)
  bytes[60] = (bytes[60] ?? 0) ^ 1
  writeFileSync(file, bytes)
  assert.strictEqual((yield* Effect.exit(home.night))._tag, "Failure")
  const last = readdirSync(home.paths.runs).toSorted().at(-1) ?? ""
  const report = jsonFile(join(home.paths.runs, last)) as {
    readonly verdict: string
    readonly games: ReadonlyArray<{ readonly verdict: string; readonly reason: string }>
  }
  assert.deepStrictEqual([report.verdict, report.games[0]?.verdict], ["failed", "failed"])
  assert.match(report.games[0]?.reason ?? "", /products\.parquet is damaged/)
})

const run = idOf("20260101T030000000Z-3f9a")

live("a run that died without a report gets one from the next run, and it says what to do", function* () {
  const { newHome } = yield* tinyMarketplace()
  const home = yield* newHome
  const next = Effect.provideContext(runCompact([]), home.services)
  const reports = Effect.provideContext(listRuns, home.services)
  const left = leave(home.paths, { run, pid: yield* deadPid }, 10_000)
  yield* next
  const dead = (yield* reports).find((report) => report.run === run)
  assert.deepInclude(dead, { run, kind: "nightly", startedAt: left.startedAt, verdict: "failed", games: [] })
  assert.match(
    dead?.reason ?? "",
    /^The nightly ended without a report: process \d+ on \S+, last seen at \S+Z, was killed, ran out of memory or lost power\. To publish the rest, run: cardlake nightly; if that is killed too/
  )
  // A command warns in one sentence, and `runs` has it whole.
  leave(home.paths, { run: idOf("20260101T030000002Z-3f9a"), pid: yield* deadPid })
  const { stderr } = yield* Effect.promise(() => cardlake(["compact", "--home", home.root]))
  assert.match(stderr, /^cardlake: Run 20260101T030000002Z-3f9a: The nightly ended .*\n$/)
  assert.include(stderr, `cardlake nightly --home ${home.root};`)
  const { stdout } = yield* Effect.promise(() => cardlake(["runs", "--home", home.root]))
  assert.match(stdout, /last seen at \S+Z, was killed, ran out of memory or lost power\. .*; if that is killed too/)
  // A command that writes no reports gets none; a lock cannot lead to a file elsewhere.
  const names = readdirSync(home.paths.runs)
  for (const changes of [
    { run: idOf("20260101T030000001Z-3f9a"), command: "prune" },
    { run: "../../stranger" as RunId }
  ]) {
    leave(home.paths, { ...changes, pid: yield* deadPid }, 3_600_000)
    yield* next
  }
  assert.deepStrictEqual(readdirSync(home.paths.runs), names)
  // A report that the dead run wrote itself stays.
  const own = join(home.paths.runs, names[0] ?? "")
  writeFileSync(
    own,
    withSum({ run, kind: "nightly", why: null, startedAt: "", verdict: "held", seconds: 1, games: [] })
  )
  leave(home.paths, { run: idOf((names[0] ?? "").replace(".json", "")), pid: yield* deadPid })
  yield* next
  assert.strictEqual((yield* reports).filter((report) => report.verdict === "held").length, 1)
})

live("a rollback that died before it published has failed, though its snapshot was published before", function* () {
  const home = yield* (yield* tinyMarketplace()).newHome
  const report = yield* home.night
  const died = { ...report, run: "20991231T030000000Z-3f9a", kind: "rollback" }
  writeFileSync(join(home.paths.runs, `${died.run}.json`), withSum(died))
  yield* Effect.provideContext(correctReports(yield* home.current), home.services)
  const runs = yield* Effect.provideContext(listRuns, home.services)
  assert.deepStrictEqual(
    runs.map(({ games, kind, verdict }) => `${kind} ${verdict} ${games[0]?.verdict}`),
    ["rollback failed failed", "nightly published published"]
  )
})
