import { copyFileSync, linkSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Diff } from "../../src/diff/Diff.ts"
import { diffSnapshots } from "../../src/diff/diffSnapshots.ts"
import { withPublications, type Current, type Publication } from "../../src/home/Current.ts"
import { Home } from "../../src/home/Home.ts"
import { Lake } from "../../src/lake/duckdb/Lake.ts"
import { sqlText } from "../../src/lake/duckdb/sqlText.ts"
import { parquetFormat } from "../../src/lake/duckdb/parquetFormat.ts"
import { Manifest } from "../../src/home/Manifest.ts"
import { readSnapshot } from "../../src/home/snapshots.ts"
import { fileSha256 } from "../../src/home/disk.ts"
import { readJson, writeJson } from "../../src/home/jsonFile.ts"
import { idOf } from "../idOf.ts"

const day = 24 * 3600 * 1000

/** The id of a night that was read at this time. */
const idAt = (millis: number) => idOf(`${new Date(millis).toISOString().replaceAll(/[-:.]/g, "")}-0000`)

/** The next night: 30 % of the prices move by up to a tenth, and their changes with them. */
const nextNight = `create or replace table next as
  select * exclude (moves, factor) replace (
    if(moves, round(low * factor, 2)::decimal(18, 4), low) as low,
    if(moves, round(mid * factor, 2)::decimal(18, 4), mid) as mid,
    if(moves, round(market_value * factor, 2)::decimal(18, 4), market_value) as market_value,
    if(moves, round(100 * (factor - 1), 2), 0)::decimal(12, 4) as change_24h
  )
  from (select *, random() < 0.3 as moves, 0.9 + random() * 0.2 as factor from night);
  drop table night; alter table next rename to night`

/**
 * Fills the home with nights of one game, made from one real snapshot: each has its own files,
 * the catalogue stays, the prices of one finish move. Returns the state that they publish.
 */
export const yearOfNights = Effect.fnUntraced(function* (seedFolder: string, firstMillis: number, nights: number) {
  const home = yield* Home
  const { manifest: seed } = yield* readSnapshot(seedFolder)
  const { gameId } = seed
  // Where DuckDB puts what does not fit into its memory.
  mkdirSync(home.work("bench"), { recursive: true })
  const session = yield* (yield* Lake).session
  yield* session.run("Seed", "select setseed(0.5)")
  yield* session.run(
    "The first night",
    `create or replace table night as select distinct on (product_id, source) *
     from read_parquet(${sqlText(join(seedFolder, "source_prices.parquet"))}, hive_partitioning = false)
     order by product_id, source, finish`
  )
  let current: Current = { games: {}, history: [] }
  let previous: Manifest | null = null
  for (let night = 0; night < nights; night++) {
    const millis = firstMillis + night * day
    const snapshot = idAt(millis)
    const folder = home.snapshot(gameId, snapshot)
    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(seedFolder)) {
      if (/^(source|marketplace)_prices\.parquet$|^manifest\.json$/.test(name)) continue
      if (night === 0) copyFileSync(join(seedFolder, name), join(folder, name))
      else linkSync(join(home.snapshot(gameId, idAt(firstMillis)), name), join(folder, name))
    }
    if (night > 0) yield* session.run("The next night", nextNight)
    const sources = join(folder, "source_prices.parquet")
    yield* session.run(
      "Write",
      `copy (from night order by product_id, finish, source) to ${sqlText(sources)} ${parquetFormat()}`
    )
    const listings = join(folder, "marketplace_prices.parquet")
    yield* session.run(
      "Write",
      `copy (from read_parquet(${sqlText(join(seedFolder, "marketplace_prices.parquet"))}, hive_partitioning = false) limit 0)
       to ${sqlText(listings)} ${parquetFormat()}`
    )
    const [counted] = yield* session.rows("Count", "select count(*) as n from night")
    const told = Effect.fnUntraced(function* (file: string, rows: number) {
      return { rows, sizeBytes: statSync(file).size, sha256: yield* fileSha256(file) }
    })
    const manifest: Manifest = {
      ...seed,
      snapshot,
      runId: snapshot,
      extractedAt: new Date(millis).toISOString(),
      previous: previous?.snapshot ?? null,
      tables: {
        ...seed.tables,
        source_prices: yield* told(sources, Number(counted?.["n"])),
        marketplace_prices: yield* told(listings, 0)
      }
    }
    yield* writeJson(join(folder, "manifest.json"), Manifest, manifest)
    const changes = home.changes(gameId, snapshot)
    if (night === 1) {
      yield* diffSnapshots(yield* readSnapshot(home.snapshot(gameId, idAt(firstMillis))), { folder, manifest }, changes)
    }
    if (night > 1) {
      // The catalogue is the same, so there are no new versions.
      mkdirSync(changes, { recursive: true })
      const second = home.changes(gameId, idAt(firstMillis + day))
      for (const name of readdirSync(second)) linkSync(join(second, name), join(changes, name))
      const diff = yield* readJson(join(second, "diff.json"), Diff)
      yield* writeJson(join(changes, "diff.json"), Diff, {
        ...diff,
        from: previous?.snapshot ?? diff.from,
        to: snapshot
      })
    }
    const step: Publication = { run: snapshot, kind: "nightly", gameId, snapshot, at: manifest.extractedAt, why: null }
    current = withPublications(current, [step])
    previous = manifest
  }
  return current
}, Effect.scoped)
