import { Clock, Effect } from "effect"
import { clockSlackMillis } from "../../store/home/newRunId.ts"
import { readCurrent, Home } from "../../store/home/Home.ts"
import { snapshotsAreThere } from "../../store/lake/repair/verifyPublished.ts"
import { readSnapshot } from "../../store/home/Manifest.ts"
import { listRuns } from "./listRuns.ts"

/**
 * Every published game: of which deployment it is, and when the feed last said so, which is when its snapshot was read, or
 * the start of a later night that found the feed unchanged. None before the first night.
 */
export const publishedGames = Effect.gen(function* () {
  const home = yield* Home
  const { games } = yield* Effect.tap(readCurrent, snapshotsAreThere)
  // If a report cannot be read, only nights that found nothing new are missing.
  const runs = yield* Effect.orElseSucceed(listRuns, () => [])
  // A run in the future was made with a wrong clock: nobody knows when it really was.
  const now = yield* Clock.currentTimeMillis
  const past = runs.filter((run) => Date.parse(run.startedAt) <= now + clockSlackMillis)
  return yield* Effect.forEach(
    Object.entries(games),
    Effect.fnUntraced(function* ([gameId, { snapshot }]) {
      const { manifest } = yield* readSnapshot(home.snapshot(gameId, snapshot))
      const unchanged = past.filter((run) =>
        run.games.some((game) => game.gameId === gameId && game.verdict === "unchanged" && game.snapshot === snapshot)
      )
      const instants = [manifest.extractedAt, ...unchanged.map((run) => run.startedAt)].map((at) => Date.parse(at))
      return { gameId, deploymentId: manifest.deploymentId, readMillis: Math.max(...instants) }
    })
  )
})

/** When any game was read last; null before the first night. */
export const newestReading = (games: Effect.Success<typeof publishedGames>): number | null =>
  games.length === 0 ? null : Math.max(...games.map((game) => game.readMillis))
