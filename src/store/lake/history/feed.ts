import { basename, join } from "node:path"
import { Effect } from "effect"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { type FileDamaged, isThere, makeFolder, replaceSummed, verifySummed, verifyFile } from "../../home/disk.ts"
import { Home, type Current } from "../../home/Home.ts"
import { scratchSession, parquetFormat, sqlText } from "../duckdb/Lake.ts"
import type { TableFile } from "../../../feed/schema/tableFile.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { type SnapshotFolder, readSnapshot } from "../../home/Manifest.ts"
import { withCurrentColumns, snapshotFiles } from "../snapshot/snapshotRows.ts"

/** Tables of a game's changelog in `<home>/deployments/game=<game>/`. Publications only append to them. */
export const feedTables = snapshotTables
  .filter(({ name }) => ["deployments", "deployment_changes"].includes(name))
  // `deployments` is written last, because its head marks a complete changelog.
  .toReversed()

/** Returns the paths of a game's changelog files, existing or not. */
export const feedFiles = (gameId: string) =>
  Effect.map(Home, (home) => feedTables.map(({ name }) => join(home.feed(gameId), `${name}.parquet`)))

/** Returns SQL of a changelog table's rows in files of any release. */
export const feedRows = ({ columns }: TableFile, files: ReadonlyArray<string>): string =>
  withCurrentColumns(
    columns,
    `from read_parquet([${files.map(sqlText).join(", ")}], hive_partitioning = false, union_by_name = true)`
  )

/** Stages a game's changelog up to its snapshot, for {@link storeFeed}. Empty if the home has it. */
export const stageFeed = Effect.fn("stageFeed")(function* (gameId: string, current: Current, folder: string) {
  const home = yield* Home
  const game = current.games[gameId]
  if (game === undefined) return []
  const live = yield* readSnapshot(home.snapshot(gameId, game.snapshot))
  const { deploymentId, feedBefore } = live.manifest
  if (yield* isKept(gameId, deploymentId)) return []
  const goesOn = feedBefore !== null && (yield* isKept(gameId, feedBefore.deploymentId))
  // If the files are missing, gathers the changelog from all readable snapshots.
  return yield* gather(gameId, folder, goesOn ? [live] : yield* readableSnapshots(gameId, game.published))
}, Effect.scoped)

/** Moves staged changelog files into the home. If a run dies earlier, the next publication stores them. */
export const storeFeed = (gameId: string, staged: ReadonlyArray<string>) =>
  Effect.flatMap(Home, (home) =>
    Effect.forEach(staged, (file) => replaceSummed(file, join(home.feed(gameId), basename(file))), { discard: true })
  )

/** True if the changelog up to this entry is stored, or the feed has no entries. */
const isKept = Effect.fnUntraced(function* (gameId: string, deploymentId: string | null) {
  if (deploymentId === null) return true
  const files = yield* feedFiles(gameId)
  yield* Effect.forEach(files, verifySummed, { discard: true })
  const deployments = files.at(-1)
  if (deployments === undefined || !files.every((file) => isThere(file))) return false
  const session = yield* scratchSession
  const found = yield* session.rows(
    "Find the head of the changelog",
    `select 1 from read_parquet(${sqlText(deployments)}, hive_partitioning = false)
     where deployment_id = ${sqlText(deploymentId)} limit 1`
  )
  return found.length > 0
}, Effect.scoped)

/** Omits a damaged file of an older night with a warning. */
const orWarn = ({ message }: FileDamaged) => Effect.as(Effect.logWarning(message), null)

/** Returns the snapshots with readable manifests; warns about the others. */
const readableSnapshots = Effect.fnUntraced(function* (gameId: string, published: ReadonlyArray<SnapshotId>) {
  const home = yield* Home
  const found = yield* Effect.forEach(published, (snapshot) =>
    Effect.catchTag(readSnapshot(home.snapshot(gameId, snapshot)), "FileDamaged", orWarn)
  )
  return found.filter((snapshot) => snapshot !== null)
})

const gather = Effect.fnUntraced(function* (gameId: string, folder: string, snapshots: ReadonlyArray<SnapshotFolder>) {
  const home = yield* Home
  const session = yield* scratchSession
  yield* makeFolder(folder)
  const staged: Array<string> = []
  for (const table of feedTables) {
    const { grain, name } = table
    const own = yield* Effect.forEach(snapshots, (snapshot) => wholeFile(snapshot, `${name}.parquet`))
    const known = join(home.feed(gameId), `${name}.parquet`)
    const found = [...own.filter((path) => path !== null), known].filter((path) => isThere(path))
    if (found.length === 0) continue
    const file = join(folder, `${name}.parquet`)
    yield* session.run(
      `Gather ${name}`,
      `copy (select distinct on ${grain} * from (${feedRows(table, found)}) order by ${grain.slice(1, -1)})
       to ${sqlText(file)} ${parquetFormat()}`
    )
    staged.push(file)
  }
  return staged
})

/** Returns a snapshot's file after verifying its checksum. */
const wholeFile = Effect.fnUntraced(function* (snapshot: SnapshotFolder, name: string) {
  const file = (yield* snapshotFiles(snapshot)).find((one) => one.file === join(snapshot.folder, name))
  return file === undefined
    ? null
    : yield* Effect.catchTag(Effect.as(verifyFile(file), file.file), "FileDamaged", orWarn)
})
