import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { eachKill, killedAt } from "../eachKill.ts"
import { live } from "../support/suite.ts"
import { gameId } from "../store/lake/invented.ts"
import { tinyMarketplace, type TinyHome } from "./tinyNights.ts"

/**
 * A second night, killed before each of its steps. After each kill the lake is the old or the new one, and the next
 * night ends like an uninterrupted one. Returns what it counted.
 */
const killNights = Effect.gen(function* () {
  const marketplace = yield* tinyMarketplace()
  const before = yield* marketplace.newHome
  yield* before.night
  yield* marketplace.deploy
  const old = yield* before.lake

  const undisturbed = yield* marketplace.copyOf(before)
  yield* killedAt("none", ["nightly"], undisturbed.settings)
  const fresh = yield* undisturbed.lake
  const tables = yield* undisturbed.tables
  assert.notDeepEqual(fresh, old)

  const [committed, millis] = [new Set<string>(), [] as Array<number>]
  const kill = Effect.fnUntraced(function* (at: string) {
    const home = yield* marketplace.copyOf(before)
    const where = yield* killedAt(at, ["nightly"], home.settings)
    if (where === null) return false
    const found = yield* home.lake
    assert.isTrue(
      [old, fresh].some((state) => JSON.stringify(state) === JSON.stringify(found)),
      where
    )

    const since = performance.now()
    const report = yield* home.night
    millis.push(performance.now() - since)
    const verdict = report.games[0]?.verdict
    assert.include(["published", "unchanged"], verdict, `${where}: ${report.games[0]?.reason}`)
    if (verdict === "unchanged") committed.add(at)
    assert.deepStrictEqual(yield* home.tables, tables, where)
    assert.deepStrictEqual(yield* home.lake, fresh, where)
    nothingLeft(home, yield* home.current, where)
    // A report of the first night, of the killed one, whoever wrote it, and of the next one.
    assert.lengthOf(readdirSync(home.paths.runs), 3, where)
    return true
  }, Effect.scoped)
  const killed = yield* eachKill(1, kill, 2)
  return { killed, committed: committed.size, slowestMillis: Math.round(Math.max(...millis)) }
})

/** Asserts that the home has nothing but what its published snapshots need. */
const nothingLeft = (home: TinyHome, current: Effect.Success<TinyHome["current"]>, where: string) => {
  const { paths, root } = home
  const published = current.games[gameId]?.published ?? []
  const names = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : [])
  // What the killed run left half done is kept for a week.
  const kept = /^(spill|removed)-/
  assert.deepStrictEqual(
    names(paths.work("")).filter((name) => !kept.test(name)),
    [],
    where
  )
  assert.deepStrictEqual(
    names(join(root, "snapshots", `game=${gameId}`)),
    published.map((id) => `snapshot=${id}`),
    where
  )
  assert.deepStrictEqual(
    names(join(root, "changes", `game=${gameId}`)),
    published.slice(1).map((id) => `to=${id}`),
    where
  )
  assert.deepStrictEqual(names(join(root, "raw", gameId)), [...published], where)
  const top =
    "cardlake.json changes current.json deployments lake.duckdb lake.duckdb.sha256 raw runs snapshots work".split(" ")
  assert.deepStrictEqual(
    names(root).filter((name) => !top.includes(name)),
    [],
    where
  )
  for (const name of names(paths.runs)) {
    const report = JSON.parse(readFileSync(join(paths.runs, name), "utf8")) as {
      games: ReadonlyArray<{ verdict: string; snapshot: string }>
    }
    for (const { snapshot, verdict } of report.games)
      if (verdict === "published") assert.include(published, snapshot, where)
  }
}

// Some two hundred nights, each in a process of its own, and as many to repair them.
live(
  "a night killed before any step leaves the old or the new lake, and the next one ends like any other",
  function* () {
    const seen = yield* killNights
    yield* Effect.log(`Killed at every step: ${JSON.stringify(seen)}`)
    assert.isAbove(seen.killed, 100)
    assert.isAbove(seen.committed, 0)
  },
  3_600_000
)
