import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runPrune } from "../../../src/night/run/runPrune.ts"
import { runReplay } from "../../../src/night/run/runReread.ts"
import { type Current, readCurrent } from "../../../src/store/home/Home.ts"
import { lakeMatches } from "../../../src/store/lake/publish/publish.ts"
import type { Manifest } from "../../../src/store/home/Manifest.ts"
import { measureBytes } from "../../../src/store/home/disk.ts"
import { retained, type RetentionRules } from "../../../src/store/lake/history/tidyHistory.ts"
import { gameId, idOf } from "../../store/lake/invented.ts"
import { currentOf } from "../../store/lake/currentOf.ts"
import { withSum } from "../../safety/hostileTexts.ts"
import { jsonFile, tinyMarketplace, type TinyHome } from "../../safety/tinyNights.ts"
import { shared, suite } from "../../support/suite.ts"

const nothing: RetentionRules = { days: null, last: null, monthly: false }

/** What the rules retain of a game that was read at noon on these days; a snapshot's id is its day. */
const game = (days: ReadonlyArray<string>, past = days, live = past.at(-1) ?? "") => {
  const manifests = days.map((snapshot) => ({ snapshot, extractedAt: `${snapshot}T12:00:00.000Z`, previous: null }))
  const current = currentOf("g", [...past, live].map(idOf))
  return (rules: Partial<RetentionRules>, today: string) =>
    [
      ...retained(
        { ...nothing, ...rules },
        {
          current,
          gameId: "g",
          manifests: manifests as unknown as ReadonlyArray<Manifest>,
          nowMillis: Date.parse(`${today}T12:00:00.000Z`)
        }
      ).all
    ].sort()
}

describe("retention", () => {
  const days = ["2026-01-01", "2026-01-15", "2026-02-02", "2026-02-20", "2026-03-01", "2026-03-02"]

  it("retains the published snapshot and the one before it, whatever the rules say", () => {
    assert.deepStrictEqual(game(days)({}, "2027-01-01"), days.slice(-2))
    assert.deepStrictEqual(game(days, days, "2026-02-02")({}, "2027-01-01"), ["2026-01-15", "2026-02-02"])
  })

  it("retains by days, by count and by month, and whatever any of these rules retains", () => {
    assert.deepStrictEqual(game(days)({ days: 10 }, "2026-03-02"), days.slice(-3))
    assert.deepStrictEqual(game(days)({ last: 4 }, "2026-03-02"), days.slice(-4))
    assert.deepStrictEqual(game(days)({ monthly: true }, "2026-03-02"), ["2026-01-01", "2026-02-02", ...days.slice(-2)])
    assert.deepStrictEqual(game(days)({ days: 10, monthly: true }, "2026-03-02"), [
      "2026-01-01",
      "2026-02-02",
      ...days.slice(-3)
    ])
  })

  it("retains the last night of each way of reading, and counts nights, as the history has them after a rollback", () => {
    const ids = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-02-01", "2026-02-02", "2026-02-03"].map(idOf)
    const [first, other, , takenBack, again, last] = ids
    const steps = [...ids.slice(0, 4), other, again, last].filter((snapshot) => snapshot !== undefined)
    const { history } = currentOf("g", steps)
    const current: Current = { games: { g: { snapshot: last ?? idOf(""), published: ids } }, history }
    const manifests = ids.map((snapshot) => ({
      snapshot,
      extractedAt: `${snapshot}T12:00:00.000Z`,
      previous: null,
      ...([other, again, last].includes(snapshot) ? { via: "feeds" } : {})
    })) as unknown as ReadonlyArray<Manifest>
    const all = (rules: Partial<RetentionRules>) =>
      [...retained({ ...nothing, ...rules }, { current, gameId: "g", manifests, nowMillis: 0 }).all].sort()
    assert.deepStrictEqual(all({}), [first, again, last])
    assert.deepStrictEqual(all({ last: 3 }), [first, ...ids.slice(1)])
    assert.deepStrictEqual(all({ monthly: true }), [first, again, last])
    assert.notInclude(all({ monthly: true }), takenBack)
  })

  it("retains held snapshots that are newer than the published one, and does not count held ones", () => {
    assert.deepStrictEqual(game(days, days.slice(0, 4))({ last: 1 }, "2027-01-01"), days.slice(2))
    assert.deepStrictEqual(game(days, [days[0] ?? "", ...days.slice(-2)])({ last: 3 }, "2027-01-01"), [
      days[0],
      ...days.slice(-2)
    ])
  })
})

const prune = (home: TinyHome, rules: Partial<RetentionRules>, isDryRun = false) =>
  runPrune({ ...nothing, ...rules }, isDryRun).pipe(Effect.provideContext(home.services))

/** A home of four nights, the first of which is followed by one without news, before the fifth deployment; and a copy. */
const FourNights = shared("FourNights", function* () {
  const marketplace = yield* tinyMarketplace()
  const home = yield* marketplace.newHome
  yield* home.night
  yield* home.night
  for (let night = 2; night <= 4; night++) yield* Effect.andThen(marketplace.deploy, home.night)
  yield* marketplace.deploy
  const published = (yield* home.current).games[gameId]?.published ?? []
  return { home, copy: yield* marketplace.copyOf(home), published }
})

const names = (folder: string, prefix: string) =>
  (existsSync(folder) ? readdirSync(folder) : []).sort().map((name) => name.replace(prefix, "").replace(".json", ""))
const held = ({ paths, root }: TinyHome) => ({
  snapshots: names(join(paths.snapshots, `game=${gameId}`), "snapshot="),
  changes: names(join(root, "changes", `game=${gameId}`), "to="),
  raw: names(join(root, "raw", gameId), ""),
  runs: names(paths.runs, "")
})

suite(FourNights.layer, "prune", (it) => {
  it("touches nothing in a dry run, then removes what the dry run said, and forgets no deployment", function* () {
    const { home, published } = yield* FourNights
    const facts = "select deployment_id, sequence, products_added from deployments order by sequence"
    const claims = "select * from deployment_changes order by all"
    const [deployments, changes] = [yield* home.query(facts), yield* home.query(claims)]
    const readings = "select seen_at::varchar as seen_at, snapshot, is_confirmation from readings order by all"
    const read = yield* home.query(readings)
    assert.deepStrictEqual(
      read.map((one) => one["is_confirmation"]),
      [false, true, false, false, false]
    )
    // DuckDB's file of a tiny lake grows and shrinks by blocks of 256 KiB.
    const bytesBesideLake = Effect.map(measureBytes(home.root), (bytes) => bytes - statSync(home.paths.lake).size)
    const before = { held: held(home), lake: yield* home.lake, bytes: yield* bytesBesideLake }

    const plan = yield* prune(home, { last: 2 }, true)
    assert.deepStrictEqual({ held: held(home), lake: yield* home.lake }, { held: before.held, lake: before.lake })
    const done = yield* prune(home, { last: 2 })
    const unmeasured = ({ games, reports }: Pick<typeof done, "games" | "reports">) => ({
      reports,
      games: games.map((game) => ({ ...game, bytes: 0 }))
    })
    assert.deepStrictEqual(unmeasured(done), unmeasured(plan))
    // The prices of two nights went into the part of a month, which is a little larger.
    assert.closeTo(done.bytes, plan.bytes, plan.bytes * 0.2)
    assert.deepStrictEqual(done.games[0]?.removed, published.slice(0, 2))
    const kept = published.slice(2)
    assert.deepStrictEqual(held(home), { snapshots: kept, changes: kept, raw: kept, runs: kept })
    assert.isAbove(before.bytes - (yield* bytesBesideLake), done.bytes * 0.7)

    assert.deepStrictEqual((yield* home.current).games[gameId], { snapshot: kept[1] ?? idOf(""), published: kept })
    assert.deepStrictEqual(yield* home.lake, before.lake)
    assert.deepStrictEqual(yield* home.query(facts), deployments)
    assert.deepStrictEqual(yield* home.query(claims), changes)
    assert.deepStrictEqual(yield* home.query(readings), read)
    const told = "select distinct to_snapshot from changes order by all"
    assert.deepStrictEqual(
      (yield* home.query(told)).map((row) => row["to_snapshot"]),
      kept
    )
    const isLakeOfTheFiles = Effect.flatMap(readCurrent, lakeMatches).pipe(Effect.provideContext(home.services))
    assert.isTrue(yield* isLakeOfTheFiles)
    assert.isTrue((yield* runReplay(gameId, kept[0] ?? "").pipe(Effect.provideContext(home.services))).equal)

    const [next] = (yield* home.night).games
    assert.strictEqual(next?.verdict, "published")
    assert.strictEqual(next?.reconciliation?.unexplained, 0)
    assert.strictEqual((yield* home.query(facts)).length, 5)
    yield* prune(home, { last: 1 })
    assert.strictEqual((yield* home.query(facts)).length, 5)
    assert.strictEqual((yield* prune(home, { last: 1 })).bytes, 0)
  })

  it.full("that died after it had published leaves the rest of the removal to the next run", function* () {
    const { copy: home, published } = yield* FourNights
    // Enough for the table of runs, but not a whole report, so its content could not be carried over.
    const torn = idOf("20200101T000000000Z-0000")
    writeFileSync(home.paths.run(torn), JSON.stringify({ run: torn, startedAt: "2020-01-01T00:00:00Z", games: [] }))
    assert.notInclude((yield* prune(home, { last: 2 })).reports, torn)
    const whole = held(home)
    assert.include(whole.runs, torn)
    // As after a kill before the removal: current.json does not list the snapshot, its folder is there.
    const current = jsonFile(home.paths.current) as Current
    const left = published[2] ?? ""
    const without = { ...current, games: { [gameId]: { snapshot: published[3], published: [published[3]] } } }
    writeFileSync(home.paths.current, withSum(without))
    rmSync(home.paths.lake)
    const next = yield* home.night
    assert.deepInclude(next.games[0], { verdict: "published", products: 41 })
    assert.deepStrictEqual(held(home).snapshots, [published[3] ?? "", next.run])
    assert.notInclude(held(home).changes, left)
    assert.include(whole.snapshots, left)
  })
})
