import { join } from "node:path"
import { Effect } from "effect"
import { readCurrent, Home } from "./Home.ts"
import { namesIn, removeAll } from "./disk.ts"
import { listRawRuns } from "../../feed/contract/Via.ts"
import { runMillis } from "./newRunId.ts"
import { snapshotsSetAside } from "./setAside.ts"
import { listSnapshotIds, readSnapshots } from "./Manifest.ts"

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
