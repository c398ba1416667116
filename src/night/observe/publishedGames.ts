import { Clock, Effect } from "effect"
import { clockSlackMillis } from "../../store/home/newRunId.ts"
import { readCurrent, Home } from "../../store/home/Home.ts"
import { snapshotsAreThere } from "../../store/lake/repair/damages.ts"
import { readSnapshot } from "../../store/home/Manifest.ts"
import { listRuns } from "./RunReport.ts"

/**
 * Every published game with its deployment, and when the feed last confirmed it: when its snapshot was read, or the
 * start of a later unchanged night. Empty before the first night.
 */
export const publishedGames = Effect.gen(function* () {
  const home = yield* Home
  const { games } = yield* Effect.tap(readCurrent, snapshotsAreThere)
  // An unreadable report only omits nights that found nothing new.
  const runs = yield* Effect.orElseSucceed(listRuns, () => [])
  // A run dated in the future had a wrong clock, and its real time is unknown.
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

/** Returns the time of the newest reading of any game; null before the first night. */
export const newestReading = (games: Effect.Success<typeof publishedGames>): number | null =>
  games.length === 0 ? null : Math.max(...games.map((game) => game.readMillis))
