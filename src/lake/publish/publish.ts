import { existsSync } from "node:fs"
import { mkdir, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { Effect, Result } from "effect"
import type { RunId } from "../../contract/Ids.ts"
import { Current } from "./Current.ts"
import { FileDamaged } from "../home/FileDamaged.ts"
import { Home } from "../home/Home.ts"
import type { HomePaths } from "../home/homePaths.ts"
import { feedRows, feedTables } from "../history/keepFeed.ts"
import { Lake, type Session } from "../duckdb/Lake.ts"
import { sqlText } from "../duckdb/sqlText.ts"
import { lakeStep } from "../duckdb/LakeError.ts"
import { builtBySql, programHash } from "./builtBy.ts"
import { publishHistory } from "../history/publishHistory.ts"
import type { HomeLock } from "../home/lockHome.ts"
import type { SnapshotFolder } from "../load/loadSnapshot.ts"
import { publishedChain } from "../history/nights.ts"
import { namingDamage } from "../repair/namingDamage.ts"
import { readableRunFiles } from "../home/runFiles.ts"
import { snapshotFiles, verifySnapshot } from "../snapshot/snapshotFiles.ts"
import { readSnapshot } from "../snapshot/snapshots.ts"
import { verifySummed } from "../home/summedFile.ts"
import { verifyFile } from "../home/verifyFile.ts"
import { snapshotRows } from "../snapshot/snapshotRows.ts"
import { snapshotTables } from "../load/snapshotTables.ts"
import { commentSql, tableFile, type TableFile } from "../duckdb/tableFile.ts"
import { replace, syncToDisk } from "../home/disk.ts"
import { writeJson } from "../home/jsonFile.ts"

const gathered = new Set(feedTables.map((table) => table.name))
const ledgers = ["snapshots", "quality_checks"].map((name) => tableFile(`published/${name}.sql`))
const runs = tableFile("published/runs.sql")
const rates = tableFile("published/fx_rates.sql")
const nightly = ["changes", "reconciliations"].map((name) => tableFile(`published/${name}.sql`))

/** What a lake holds besides the tables of its snapshots and the history. */
export const publishedTables = [...ledgers, runs, rates, ...nightly]

/** What the present program builds a lake with. */
export const lakeProgram = programHash(publishedTables)

/**
 * Makes `current` the published state: builds `lake.duckdb` anew from the snapshots' Parquet beside the present one, then swaps it in by
 * rename. A reader sees the old or the new file, never a part. Design: decision 1.
 *
 * The steps of a run, in this order, each whole or not there: changes, snapshot (both folders by rename), run report, `current.json`,
 * `lake.duckdb`. The rename of `current.json` is the commit. A run that dies before it has done nothing: the next one sets aside what
 * it left (`repairHome`) and says in its report that it died. One that dies after it has published: the next run finds that the lake is not
 * what `current.json` says (`lakeMatches`) and builds it again.
 */
export const publish = Effect.fn("publish")(function* (runId: RunId, current: Current, lock: HomeLock) {
  const home = yield* Home
  const session = yield* (yield* Lake).session
  const work = home.work(runId)
  const file = join(work, "lake.duckdb")
  // Without a game there is no table to make: a lake of nothing would answer no question.
  if (Object.keys(current.games).length === 0) {
    yield* lock.isOurs
    return yield* writeJson(home.current, Current, current)
  }
  yield* lakeStep(`Make ${work}`, async () => {
    await mkdir(work, { recursive: true })
    await rm(file, { force: true })
  })
  yield* Effect.acquireUseRelease(
    session.run("Create the lake", `attach ${sqlText(file)} as next_lake (recovery_mode no_wal_writes); use next_lake`),
    () => namingDamage(fillLake(session, home, current)),
    () => Effect.ignore(session.run("Close the lake", "use memory; detach next_lake"))
  )
  yield* syncToDisk(file)
  yield* lock.isOurs
  yield* writeJson(home.current, Current, current)
  yield* replace(file, home.lake)
}, Effect.scoped)

const fillLake = Effect.fnUntraced(function* (session: Session, home: HomePaths, current: Current) {
  const games = Object.entries(current.games).sort(([a], [b]) => (a < b ? -1 : 1))
  const live = yield* Effect.forEach(games, ([gameId, game]) => readSnapshot(home.snapshot(gameId, game.snapshot)))
  const ever = games.flatMap(([gameId, game]) => game.published.map((snapshot) => home.snapshot(gameId, snapshot)))
  const kept = games.map(([gameId]) => home.keptFeed(gameId))
  const { feed, hasRates, whole } = yield* verifyRead(live, ever, kept)
  for (const table of snapshotTables) {
    const everywhere = feed.filter((file) => basename(file) === `${table.name}.parquet`)
    const rows = gathered.has(table.name)
      ? `select distinct on ${table.grain} * from (${feedRows(table, everywhere)})`
      : withIsListed(table, yield* snapshotRows(live, table.name))
    yield* session.run(`Publish ${table.name}`, `create table ${table.name} as ${rows}; ${commentSql(table, "table")}`)
  }
  const runFiles = yield* readableRunFiles
  yield* session.set({
    manifest_files: whole.map(({ folder }) => join(folder, "manifest.json")),
    run_files: runFiles,
    current_snapshots: games.map(([gameId, game]) => `${gameId}/${game.snapshot}`)
  })
  for (const table of runFiles.length === 0 ? ledgers : [...ledgers, runs]) {
    yield* session.run(`Publish ${table.name}`, `${table.sql}; ${commentSql(table, "table")}`)
  }
  for (const table of nightly) {
    const files = games
      .flatMap(([gameId]) => publishedChain(current, gameId).map((snapshot) => home.changes(gameId, snapshot)))
      .map((folder) => join(folder, `${table.name}.parquet`))
      .filter((path) => existsSync(path))
    yield* files.length === 0
      ? session.run(`Publish ${table.name}`, `${table.sql}; ${commentSql(table, "table")}`)
      : session.run(
          `Publish ${table.name}`,
          `create view ${table.name} as from ${parquet(files)}; ${commentSql(table, "view")}`
        )
  }
  yield* session.run(
    "Publish fx_rates",
    `${rates.sql}; ${hasRates ? `insert into fx_rates by name from ${parquet([home.rates])};` : ""} ${commentSql(rates, "table")}`
  )
  yield* publishHistory(session, current, runFiles.length > 0)
  yield* session.run("Say what built the lake", builtBySql(lakeProgram))
})

/** A price table of the lake says of each row whether the product lists the finish; `product_finishes` comes before it. */
const withIsListed = ({ columns }: TableFile, rows: string): string =>
  columns.some(({ name }) => name === "is_listed")
    ? `select *, (game_id, product_id, finish) in (select game_id, product_id, finish from product_finishes) as is_listed
       from (${rows})`
    : rows

/**
 * Compares everything that a publication reads with its sums. Fails where the published state or a night's changes are damaged. An older
 * manifest, what an older night knew of the changelog, and exchange rates are named in a warning and left out.
 */
const verifyRead = Effect.fnUntraced(function* (
  live: ReadonlyArray<SnapshotFolder>,
  ever: ReadonlyArray<string>,
  kept: ReadonlyArray<string>
) {
  yield* Effect.forEach(live, verifySnapshot, { discard: true })
  const home = yield* Home
  const whole: Array<SnapshotFolder> = []
  const feed: Array<string> = []
  const isWhole = <E extends { readonly message: string }, R>(look: Effect.Effect<void, E, R>) =>
    Effect.matchEffect(look, {
      onSuccess: () => Effect.succeed(true),
      onFailure: ({ message }) => Effect.as(Effect.logWarning(message), false)
    })
  for (const folder of ever) {
    const snapshot = yield* Effect.result(readSnapshot(folder))
    if (Result.isFailure(snapshot)) {
      yield* Effect.logWarning(snapshot.failure.message)
      continue
    }
    whole.push(snapshot.success)
    const { gameId, previous, snapshot: id } = snapshot.success.manifest
    for (const file of yield* snapshotFiles(snapshot.success)) {
      if (gathered.has(basename(file.file, ".parquet")) && (yield* isWhole(verifyFile(file)))) feed.push(file.file)
    }
    for (const { name } of previous === null ? [] : nightly) {
      const file = join(home.changes(gameId, id), `${name}.parquet`)
      if (!existsSync(file)) return yield* new FileDamaged({ file, what: "it is gone" })
    }
  }
  for (const file of kept.flatMap((folder) => feedTables.map(({ name }) => join(folder, `${name}.parquet`)))) {
    yield* verifySummed(file)
    if (existsSync(file)) feed.push(file)
  }
  const hasRates = (yield* isWhole(verifySummed(home.rates))) && existsSync(home.rates)
  return { whole, feed, hasRates }
})

const parquet = (files: ReadonlyArray<string>): string =>
  `read_parquet([${files.map(sqlText).join(", ")}], hive_partitioning = false)`
