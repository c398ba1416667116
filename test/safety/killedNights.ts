import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gameId } from "../lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { tinyMarketplace, type TinyHome } from "./tinyNights.ts"

const preload = join(import.meta.dirname, "killAt.ts")
const run = (home: TinyHome, env: Record<string, string>) =>
  Effect.promise(() => start(node, ["--import", preload, main, "nightly"], { env: { ...home.settings, ...env } }).ended)

/**
 * A second night, killed before each step that `isTried` names. After each kill the lake is the
 * old or the new one, and the next night ends like an uninterrupted one. Returns what it counted.
 */
export const killNights = Effect.fnUntraced(function* (
  isTried: (step: number, names: ReadonlyArray<string>) => boolean
) {
  const marketplace = yield* tinyMarketplace()
  const before = yield* marketplace.newHome
  yield* before.night
  yield* marketplace.deploy
  const old = yield* before.lake

  const folder = mkdtempSync(join(tmpdir(), "cardlake-steps-"))
  const undisturbed = yield* marketplace.copyOf(before)
  assert.strictEqual((yield* run(undisturbed, { KILL_STEPS: join(folder, "steps") })).code, 0)
  const steps = JSON.parse(readFileSync(join(folder, "steps"), "utf8")) as ReadonlyArray<string>
  rmSync(folder, { recursive: true })
  const fresh = yield* undisturbed.lake
  const tables = yield* undisturbed.tables
  assert.notDeepEqual(fresh, old)

  const tried = steps.map((name, index) => ({ at: index + 1, name })).filter(({ at }) => isTried(at, steps))
  const seen = yield* Effect.forEach(
    tried,
    Effect.fnUntraced(function* ({ at, name }) {
      const where = `killed before step ${at} of ${steps.length} (${name})`
      const home = yield* marketplace.copyOf(before)
      const { code, stderr } = yield* run(home, { KILL_AT: String(at) })
      assert.strictEqual(code, null, `${where}: ${stderr}`)
      const found = yield* home.lake
      assert.isTrue(
        [old, fresh].some((state) => JSON.stringify(state) === JSON.stringify(found)),
        where
      )

      const since = performance.now()
      const report = yield* home.night
      const millis = performance.now() - since
      const verdict = report.games[0]?.verdict
      assert.include(["published", "unchanged"], verdict, `${where}: ${report.games[0]?.reason}`)
      assert.deepStrictEqual(yield* home.tables, tables, where)
      assert.deepStrictEqual(yield* home.lake, fresh, where)
      nothingLeft(home, yield* home.current, where)
      // A report of the first night, of the killed one, whoever wrote it, and of the next one.
      assert.lengthOf(readdirSync(home.paths.runs), 3, where)
      return { isCommitted: verdict === "unchanged", millis }
    }, Effect.scoped),
    { concurrency: 2 }
  )
  return {
    steps: steps.length,
    tried: tried.length,
    committed: seen.filter((one) => one.isCommitted).length,
    slowestMillis: Math.round(Math.max(...seen.map((one) => one.millis)))
  }
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
