import { existsSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { readCurrent } from "../publish/Current.ts"
import { Home } from "./Home.ts"
import { lakeStep } from "../duckdb/LakeError.ts"
import { millisOf } from "./newRunId.ts"
import { snapshotsSetAside } from "../repair/setAside.ts"
import { snapshotIdsOf, snapshotsOf } from "../snapshot/snapshots.ts"

/**
 * Removes a game's raw pages that no snapshot was made from: readings that died, were torn or found nothing new. `resumable` keeps the
 * newest of them, for a next run to continue.
 */
export const sweepRaw = Effect.fn("sweepRaw")(function* (gameId: string, keep: "resumable" | "none") {
  const home = yield* Home
  const folder = home.readings(gameId)
  if (!existsSync(folder)) return
  const used = new Set([...(yield* readingsInUse(gameId)), ...(yield* snapshotsSetAside(gameId))])
  yield* lakeStep(`Remove unused raw pages of ${gameId}`, async () => {
    const unused = (await readdir(folder)).filter((runId) => millisOf(runId) !== null && !used.has(runId)).sort()
    const idle = keep === "resumable" ? unused.slice(0, -1) : unused
    await Promise.all(idle.map((runId) => rm(join(folder, runId), { recursive: true, force: true })))
  })
})

/**
 * Runs whose raw pages a game's snapshots need. A snapshot whose manifest cannot be read was made from the reading of its own id, and
 * so was one that `current.json` names and whose folder is gone.
 */
export const readingsInUse = Effect.fnUntraced(function* (gameId: string) {
  const { games } = yield* readCurrent
  const made = (yield* snapshotsOf(gameId)).map(({ manifest }) => manifest.runId)
  return new Set([...made, ...(yield* snapshotIdsOf(gameId)), ...(games[gameId]?.published ?? [])])
})
