import { assert } from "@effect/vitest"
import { Effect, Scope } from "effect"
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { folderDestination } from "../../src/warehouse/destination/folderDestination.ts"
import type { ExportedGame } from "../../src/warehouse/drop/exportGame.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { runCompact } from "../../src/night/run/runCompact.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { showing } from "../../src/night/run/showing.ts"
import { gameId } from "../store/lake/invented.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { asUsual, didTo, dropIn, dropRows, exportTo, dayOf as day, nightId, fourNights } from "./FourNights.ts"

/** How many partitions an export added, replaced, emptied or left. */
const didOf = ({ games }: { readonly games: ReadonlyArray<ExportedGame> }) => {
  const counts: Record<string, number> = {}
  for (const { did } of games.flatMap(({ partitions }) => partitions)) counts[did] = (counts[did] ?? 0) + 1
  return counts
}
const daysOf = (folder: string, table = "products") =>
  globSync(`${table}/v=1/game=${gameId}/dt=*`, { cwd: folder })
    .map((path) => path.slice(-10))
    .sort()

/** Every file with its time and content: a file that was written again differs. */
const filesOf = (folder: string) =>
  Object.fromEntries(
    globSync("**/*", { cwd: folder })
      .map((path) => join(folder, path))
      .filter((path) => statSync(path).isFile())
      .map((path) => [path, `${statSync(path).mtimeMs} ${readFileSync(path).toString("base64")}`])
  )

fourNights("an export", (it) => {
  it.copy("removes what a dead export staged, and nothing else that lies there", function* (folder) {
    const run = exportTo(folder, { tables: ["games"] })
    yield* run
    // An export that died never closed its scope.
    const died = yield* Scope.make()
    const dead = basename(yield* Effect.provideService(folderDestination(folder).stage, Scope.Scope, died))
    assert.match(dead, /^export-\w{6}$/)
    mkdirSync(join(folder, "_staging", "export-backup"))
    writeFileSync(join(folder, "_staging", "export-backup", "rows.parquet"), "somebody's")
    mkdirSync(join(folder, "_staging", "export-aB3xYz"))
    for (const name of ["text-0f8fad5b-d9cb-469f-a165-70867728950e", "my notes.txt"])
      writeFileSync(join(folder, "_staging", name), "")
    for (const name of readdirSync(join(folder, "_staging"))) utimesSync(join(folder, "_staging", name), 0, 0)
    yield* run
    assert.deepStrictEqual(readdirSync(join(folder, "_staging")).sort(), [
      "export-aB3xYz",
      "export-backup",
      "my notes.txt"
    ])
  })

  it.copy(
    "begins with the last night, goes on from there, and fills in the days that it is told to",
    function* (folder) {
      const run = (more: Parameters<typeof exportTo>[1]) => exportTo(folder, { tables: ["products", "games"], ...more })
      assert.deepStrictEqual(didOf(yield* run(asUsual)), { added: 3 })
      assert.deepStrictEqual(daysOf(folder), [day(4)])
      yield* run({ span: { since: day(2), until: day(2), backfill: false }, tables: ["products"] })
      assert.deepStrictEqual(daysOf(folder), [day(2), day(4)])
      assert.deepStrictEqual(daysOf(folder, "nights"), [day(2), day(4)])
      assert.deepStrictEqual(daysOf(folder, "games"), [day(4)])
      // What was missed since the first day is made up for.
      yield* run(asUsual)
      assert.deepStrictEqual(daysOf(folder), [day(2), day(3), day(4)])
      assert.deepStrictEqual(daysOf(folder, "games"), [day(2), day(3), day(4)])
      yield* run({})
      assert.lengthOf(daysOf(folder), 4)
    }
  )

  it.copy("writes nothing a second time, nor after a month is compacted", function* (folder) {
    yield* dropIn(folder)
    const before = filesOf(folder)
    assert.deepStrictEqual(didOf(yield* exportTo(folder)), {})
    const compacted = yield* runCompact([]).pipe(showing(Date.parse("2026-06-02T03:00:00Z")))
    assert.strictEqual(compacted.games[0]?.nights, 4)
    assert.deepStrictEqual(didOf(yield* exportTo(folder)), {})
    // The drop's own note of what it has is lost, and is rebuilt from the files.
    rmSync(join(folder, "_state"), { recursive: true })
    // readings and reused_ids are looked at again: they depend on more than their day's nights; so are the names
    assert.deepStrictEqual(didOf(yield* exportTo(folder)), { unchanged: 4 * 2 + 1 })
    const after = filesOf(folder)
    for (const [path, text] of Object.entries(before)) {
      if (!path.includes("_state")) assert.strictEqual(after[path], text, path)
    }
  })

  it.copy("finds what was damaged, and mends it", function* (folder) {
    const some = { ...asUsual, tables: ["games", "products", "source_prices", "expansions"] }
    yield* exportTo(folder, some)
    const verify = verifyDrop(folder)
    assert.deepStrictEqual((yield* verify).faults, [])
    const partition = (table: string) => `${table}/v=1/game=${gameId}/dt=${day(4)}`
    rmSync(join(folder, partition("games"), "part-00000.parquet"))
    rmSync(join(folder, partition("nights"), "_SUCCESS"))
    const other = readFileSync(join(folder, partition("products"), "part-00000.parquet"))
    writeFileSync(join(folder, partition("source_prices"), "part-00000.parquet"), other)
    writeFileSync(join(folder, partition("expansions"), "_manifest.json"), "{}")
    const { faults } = yield* verify
    assert.deepStrictEqual(faults.map(({ partition: at }) => at).sort(), [
      partition("expansions"),
      partition("games"),
      partition("nights"),
      partition("source_prices")
    ])
    assert.deepStrictEqual(
      faults.filter(({ partition: at }) => at === partition("expansions")).map(({ what }) => what),
      ["its _manifest.json differs from what Cardlake wrote"]
    )
    const mended = yield* exportTo(folder, some)
    assert.deepStrictEqual(didTo(mended), [
      `expansions ${day(4)} replaced`,
      `games ${day(4)} replaced`,
      `nights ${day(4)} replaced`,
      `source_prices ${day(4)} replaced`
    ])
    assert.deepStrictEqual((yield* verify).faults, [])
  })

  it.copy("takes back what a rollback took back: its days are empty, and nights says so", function* (folder) {
    const some = { ...asUsual, tables: ["products", "source_prices"] }
    yield* exportTo(folder, { tables: some.tables })
    yield* runRollback({ gameId, wanted: nightId(2), why: null })
    const done = yield* exportTo(folder, some)
    // `nights` is written first, so that no reader counts a night that is being removed.
    const order = done.games[0]?.partitions.map(({ did, dt, table }) => `${table} ${dt} ${did}`) ?? []
    assert.deepStrictEqual(order.slice(0, 2), [`nights ${day(3)} replaced`, `nights ${day(4)} replaced`])
    assert.lengthOf(
      order.filter((one) => one.endsWith("emptied")),
      2 * some.tables.length
    )
    const rows = yield* fileRows(
      `select snapshot_id as snapshot, counts, place ${dropRows(folder, "nights")} order by snapshot_id desc limit 3`
    )
    assert.deepStrictEqual(rows, [
      { snapshot: nightId(4), counts: false, place: null },
      { snapshot: nightId(3), counts: false, place: null },
      { snapshot: nightId(2), counts: true, place: 2 }
    ])
    const [prices] = yield* fileRows(
      `select count(distinct snapshot_id)::int as nights, max(snapshot_id) as last ${dropRows(folder, "source_prices")}`
    )
    assert.deepStrictEqual(prices, { nights: 2, last: nightId(2) })
    assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])

    // Night 4 can be taken back in; night 3, which was skipped, still does not count.
    yield* runRollback({ gameId, wanted: nightId(4), why: null })
    yield* exportTo(folder, some)
    const again = yield* fileRows(
      `select snapshot_id as snapshot, counts ${dropRows(folder, "nights")} where snapshot_id >= '${nightId(3)}' order by 1`
    )
    assert.deepStrictEqual(again, [
      { snapshot: nightId(3), counts: false },
      { snapshot: nightId(4), counts: true }
    ])
  })
})
