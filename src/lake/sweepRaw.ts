import { existsSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { Home } from "./Home.ts"
import { lakeStep } from "./LakeError.ts"
import { snapshotsOf } from "./snapshots.ts"

/**
 * Removes a game's raw pages that no snapshot was made from: readings that died, were torn or found nothing new. `resumable` keeps the
 * newest of them, for a next run to continue.
 */
export const sweepRaw = Effect.fn("sweepRaw")(function* (gameId: string, keep: "resumable" | "none") {
  const home = yield* Home
  const folder = dirname(home.raw(gameId, "run"))
  if (!existsSync(folder)) return
  const used = new Set((yield* snapshotsOf(gameId)).map((snapshot) => snapshot.manifest.runId))
  yield* lakeStep(`Remove unused raw pages of ${gameId}`, async () => {
    const unused = (await readdir(folder)).filter((runId) => !used.has(runId)).sort()
    const idle = keep === "resumable" ? unused.slice(0, -1) : unused
    await Promise.all(idle.map((runId) => rm(join(folder, runId), { recursive: true, force: true })))
  })
})
