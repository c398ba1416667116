import { join, relative, dirname } from "node:path"
import { Clock, Effect } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import { foldersIn, namesIn, removeAll, replace, whereNothingIs } from "./disk.ts"
import { makeFolders } from "../../feed/disk/makeFolders.ts"
import { Home, readCurrent } from "./Home.ts"
import { runMillis, runsWithReport } from "./newRunId.ts"
import { joinBelow } from "../../feed/guard/joinBelow.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { listRawRuns } from "../../feed/contract/Via.ts"
import { listSnapshotIds, readSnapshots } from "./Manifest.ts"

const retainedMillis = 7 * 24 * 3600 * 1000

const prefix = "removed-"

/** Moves files and folders of the home to `work/removed-<run>`, keeping their relative paths. */
export const setAside = Effect.fn("setAside")(function* (run: RunId, paths: ReadonlyArray<string>) {
  const home = yield* Home
  const folder = home.work(`${prefix}${run}`)
  for (const path of paths) {
    yield* replace(path, joinBelow(folder, relative(home.root, path)))
  }
})

/** True if a name in `work` is a folder of {@link setAside}. */
export const isSetAside = (name: string): boolean =>
  name.startsWith(prefix) && runMillis(name.slice(prefix.length)) !== null

/**
 * Deletes files set aside a week ago. Both the clock and the previous run must confirm the age, so that one wrong
 * clock deletes nothing.
 */
export const forgetSetAside = Effect.fnUntraced(function* (run: RunId) {
  const home = yield* Home
  const earlier = (yield* runsWithReport).findLast((one) => one < run)
  const last = Math.min(yield* Clock.currentTimeMillis, (earlier === undefined ? null : runMillis(earlier)) ?? 0)
  const old = (yield* namesIn(home.work(""))).filter(
    (name) => isSetAside(name) && last - (runMillis(name.slice(prefix.length)) ?? last) > retainedMillis
  )
  yield* removeAll("Delete what was set aside a week ago", old.map(home.work))
})

/** Returns a game's snapshots that are set aside; their raw pages are retained with them. */
export const snapshotsSetAside = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const folders = (yield* namesIn(home.work(""))).filter(isSetAside)
  const found = yield* Effect.forEach(folders, (name) =>
    foldersIn(join(home.work(name), "snapshots", `game=${gameId}`), "snapshot=")
  )
  return found.flat()
})

/** Deletes a folder after one atomic move to the run's scratch folder. A missing one is not an error. */
export const removeFolder = Effect.fnUntraced(function* (run: RunId, folder: string) {
  const home = yield* Home
  const scratch = joinBelow(home.work(run), "gone", relative(home.root, folder))
  yield* lakeStep(`Delete ${folder}`, async (disk) => {
    await makeFolders(disk, dirname(scratch))
    await disk.rename(folder, scratch).catch(whereNothingIs)
    await disk.remove(scratch)
  })
})

/** Returns the phrase for setting a file aside in this home: in a bucket the object is not moved. */
export const asideIn = ({ place }: Pick<Home["Service"], "place">): string =>
  place.address === null ? "set aside" : "no longer named"

/**
 * Deletes a game's raw pages that no snapshot uses: of readings that died, were torn or found nothing new.
 * `resumable` keeps the newest reading, so that the next run can resume it.
 */
export const sweepRaw = Effect.fn("sweepRaw")(function* (gameId: string, keep: "resumable" | "none") {
  const home = yield* Home
  const folder = home.readings(gameId)
  const readings = (yield* namesIn(folder)).filter((name) => runMillis(name) !== null)
  if (readings.length === 0) return
  const used = new Set<string>([...(yield* readingsInUse(gameId)), ...(yield* snapshotsSetAside(gameId))])
  const unused = readings.filter((name) => !used.has(name))
  const idle = keep === "resumable" ? unused.slice(0, -1) : unused
  yield* removeAll(
    `Remove unused raw pages of ${gameId}`,
    idle.map((name) => join(folder, name))
  )
})

/**
 * Returns the readings that a game's snapshots use. If a snapshot's manifest or folder is missing or unreadable, the
 * reading with the snapshot's id counts.
 */
export const readingsInUse = Effect.fnUntraced(function* (gameId: string) {
  const { games } = yield* readCurrent
  const used = new Set<string>([...(yield* listSnapshotIds(gameId)), ...(games[gameId]?.published ?? [])])
  // Manifests are read only if a reading has another id than any snapshot.
  if ((yield* namesIn((yield* Home).readings(gameId))).every((name) => used.has(name))) return used
  for (const { manifest } of yield* readSnapshots(gameId)) for (const run of listRawRuns(manifest)) used.add(run)
  return used
})
