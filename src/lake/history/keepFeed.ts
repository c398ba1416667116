import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { basename, join } from "node:path"
import { Effect } from "effect"
import type { SnapshotId } from "../../contract/Ids.ts"
import { asToday } from "../snapshot/asToday.ts"
import { Home } from "../home/Home.ts"
import { Lake } from "../duckdb/Lake.ts"
import { sqlText } from "../duckdb/sqlText.ts"
import { parquetFormat } from "../duckdb/parquetFormat.ts"
import { lakeStep } from "../duckdb/LakeError.ts"
import { snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { readSnapshot } from "../snapshot/snapshots.ts"
import { snapshotTables } from "../load/snapshotTables.ts"
import type { TableFile } from "../duckdb/tableFile.ts"
import { replaceSummed, verifySummed } from "../home/summedFile.ts"
import { verifyFile } from "../home/verifyFile.ts"

/** Facts about the feed hold whichever snapshot is current: they are gathered from every published snapshot. */
export const feedTables = snapshotTables.filter(({ name }) => ["deployments", "deployment_changes"].includes(name))

/** SQL of what files of any release say of the feed. */
export const feedRows = ({ columns }: TableFile, files: ReadonlyArray<string>): string =>
  asToday(
    columns,
    `from read_parquet([${files.map(sqlText).join(", ")}], hive_partitioning = false, union_by_name = true)`
  )

/**
 * Carries the changelog of snapshots that are about to be removed into `<home>/deployments/game=<game>/`, together with what is there: what
 * a feed said is never forgotten. To do it twice changes nothing.
 */
export const keepFeed = Effect.fn("keepFeed")(function* (gameId: string, snapshots: ReadonlyArray<SnapshotId>) {
  const home = yield* Home
  const folder = home.keptFeed(gameId)
  const session = yield* (yield* Lake).session
  yield* lakeStep(`Make ${folder}`, () => mkdir(folder, { recursive: true }))
  const own = yield* Effect.forEach(snapshots, (snapshot) =>
    Effect.flatMap(readSnapshot(home.snapshot(gameId, snapshot)), snapshotFiles)
  )
  const read = own.flat().filter(({ file }) => feedTables.some(({ name }) => basename(file) === `${name}.parquet`))
  yield* Effect.forEach(read, verifyFile, { concurrency: 4, discard: true })
  for (const table of feedTables) {
    const { grain, name } = table
    const file = join(folder, `${name}.parquet`)
    yield* verifySummed(file)
    const files = [...snapshots.map((snapshot) => join(home.snapshot(gameId, snapshot), `${name}.parquet`)), file]
    const found = files.filter((path) => existsSync(path))
    yield* session.run(
      `Keep ${name}`,
      `copy (select distinct on ${grain} * from (${feedRows(table, found)}) order by ${grain.slice(1, -1)})
       to ${sqlText(`${file}.part`)} ${parquetFormat()}`
    )
    yield* replaceSummed(`${file}.part`, file)
  }
}, Effect.scoped)
