import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RunId } from "../../src/feed/contract/Ids.ts"
import { listRuns } from "../../src/night/observe/listRuns.ts"
import { correctReports } from "../../src/night/run/correctReports.ts"
import { runCompact } from "../../src/night/run/runCompact.ts"
import { cardlake } from "../pipelines/cli.ts"
import { deadPid, leave } from "../store/home/locks.ts"
import { withSum } from "./hostileTexts.ts"
import { tinyMarketplace } from "./tinyNights.ts"
import { idOf } from "../store/lake/invented.ts"
import { live } from "../support/suite.ts"

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
    /^The nightly ended without a report: process \d+ on \S+, last seen at \S+Z, was killed, ran out of memory or lost power\. What it had not published will be in the lake once this has finished: cardlake nightly; if that is killed too/
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
    runs.map(({ games, kind, verdict }) => [kind, verdict, games[0]?.verdict]),
    [
      ["rollback", "failed", "failed"],
      ["nightly", "published", "published"]
    ]
  )
})
