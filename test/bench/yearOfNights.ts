import { copyFileSync, linkSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, type Scope } from "effect"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { lockHome } from "../../src/store/home/lock/lockHome.ts"
import { publish } from "../../src/store/lake/publish/publish.ts"
import { Diff } from "../../src/store/home/Diff.ts"
import { diffSnapshots } from "../../src/store/diff/diffSnapshots.ts"
import { withPublications, type Current, Home } from "../../src/store/home/Home.ts"
import { Lake, type Session, sqlText, parquetFormat } from "../../src/store/lake/duckdb/Lake.ts"
import { Manifest, readSnapshot } from "../../src/store/home/Manifest.ts"
import { fileSha256 } from "../../src/store/home/disk.ts"
import { readJson, writeJson } from "../../src/store/home/jsonFile.ts"
import { idOf } from "../store/lake/invented.ts"
import { dayMillis } from "./report.ts"

/** Runs steps with the services of a home. */
export const inHome = <A, E>(
  home: string,
  steps: Effect.Effect<A, E, Layer.Success<ReturnType<typeof servicesOf>> | Scope.Scope>
) => Effect.runPromise(steps.pipe(Effect.scoped, Effect.provide(servicesOf(home))))
const servicesOf = (home: string) => lakeServices({ CARDLAKE_HOME: home }).pipe(Layer.provideMerge(NodeServices.layer))

/** Publishes nights that were made. */
export const publishYear = (current: Current) =>
  Effect.flatMap(lockHome("nightly", idOf("bench")), (lock) => publish(idOf("bench"), current, lock))

const parquetRows = (folder: string, table: string): string =>
  `read_parquet(${sqlText(`${folder}/${table}.parquet`)}, hive_partitioning = false)`

/** Table `night`: the prices of one finish of each product. */
const firstPrices = (seedFolder: string) => `
  select setseed(0.5);
  create or replace table night as select distinct on (product_id, source) * from ${parquetRows(seedFolder, "source_prices")}
  order by product_id, source, finish`

/** In the next night 30 % of them move by up to a tenth, and their changes with them. */
const nextPrices = `
  create or replace table next as
  select * exclude (moves, factor) replace (
    if(moves, round(low * factor, 2)::decimal(18, 4), low) as low,
    if(moves, round(mid * factor, 2)::decimal(18, 4), mid) as mid,
    if(moves, round(market_value * factor, 2)::decimal(18, 4), market_value) as market_value,
    if(moves, round(100 * (factor - 1), 2), 0)::decimal(12, 4) as change_24h
  )
  from (select *, random() < 0.3 as moves, 0.9 + random() * 0.2 as factor from night);
  drop table night; alter table next rename to night`

/** The rows of each table that every night has for itself; nothing is listed. */
const movingTables = (seedFolder: string) => ({
  source_prices: "from night order by product_id, finish, source",
  marketplace_prices: `from ${parquetRows(seedFolder, "marketplace_prices")} limit 0`
})

/** The id of a night that was read at this time. */
const idAt = (millis: number) => idOf(`${new Date(millis).toISOString().replaceAll(/[-:.]/g, "")}-0000`)

/** The files of some tables as a manifest has them. */
const describeFiles = Effect.fnUntraced(function* (session: Session, folder: string, tables: ReadonlyArray<string>) {
  const files = yield* Effect.forEach(tables, (table) =>
    Effect.gen(function* () {
      const file = join(folder, `${table}.parquet`)
      const [counted] = yield* session.rows("Count", `select count(*) as n from ${parquetRows(folder, table)}`)
      const described = {
        rows: Number(counted?.["n"]),
        sizeBytes: statSync(file).size,
        sha256: yield* fileSha256(file)
      }
      return [table, described] as const
    })
  )
  return Object.fromEntries(files)
})

/**
 * Fills the home with nights of one game, made from one real snapshot: each has its own files of the prices that move,
 * and the catalogue of the first. Returns the state that they publish.
 */
export const yearOfNights = Effect.fnUntraced(function* (seedFolder: string, firstMillis: number, nights: number) {
  const home = yield* Home
  const { manifest: seed } = yield* readSnapshot(seedFolder)
  const { gameId } = seed
  const millisOf = (night: number) => firstMillis + night * dayMillis
  const folderOf = (night: number) => home.snapshot(gameId, idAt(millisOf(night)))
  // Where DuckDB puts what does not fit into its memory.
  mkdirSync(home.work("bench"), { recursive: true })
  const session = yield* (yield* Lake).session
  yield* session.run("The first night", firstPrices(seedFolder))
  const moving = Object.entries(movingTables(seedFolder))
  const replaced = new Set(["manifest.json", ...moving.map(([table]) => `${table}.parquet`)])
  const unmoved = Object.fromEntries(Object.entries(seed.tables).filter(([table]) => !replaced.has(`${table}.parquet`)))
  let current: Current = { games: {}, history: [] }
  let previous: Manifest | null = null
  for (let night = 0; night < nights; night++) {
    const snapshot = idAt(millisOf(night))
    const folder = folderOf(night)
    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(seedFolder).filter((each) => !replaced.has(each))) {
      if (night === 0) copyFileSync(join(seedFolder, name), join(folder, name))
      else linkSync(join(folderOf(0), name), join(folder, name))
    }
    if (night > 0) yield* session.run("The next night", nextPrices)
    for (const [table, rows] of moving)
      yield* session.run("Write", `copy (${rows}) to ${sqlText(join(folder, `${table}.parquet`))} ${parquetFormat()}`)
    const moved = yield* describeFiles(
      session,
      folder,
      moving.map(([table]) => table)
    )
    const manifest: Manifest = {
      ...seed,
      snapshot,
      runId: snapshot,
      extractedAt: new Date(millisOf(night)).toISOString(),
      previous: previous?.snapshot ?? null,
      tables: { ...unmoved, ...moved }
    }
    yield* writeJson(join(folder, "manifest.json"), Manifest, manifest)
    const changes = home.changes(gameId, snapshot)
    if (night === 1) {
      yield* diffSnapshots(yield* readSnapshot(folderOf(0)), { folder, manifest }, changes)
    } else if (night > 1) {
      // The catalogue is the same, so there are no new versions.
      mkdirSync(changes, { recursive: true })
      const second = home.changes(gameId, idAt(millisOf(1)))
      for (const name of readdirSync(second)) linkSync(join(second, name), join(changes, name))
      const diff = yield* readJson(join(second, "diff.json"), Diff)
      yield* writeJson(join(changes, "diff.json"), Diff, {
        ...diff,
        from: previous?.snapshot ?? diff.from,
        to: snapshot
      })
    }
    const { deploymentId, extractedAt: at } = manifest
    const step = { run: snapshot, kind: "nightly", gameId, snapshot, deploymentId, at, why: null } as const
    current = withPublications(current, [step])
    previous = manifest
  }
  return current
}, Effect.scoped)
