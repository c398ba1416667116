import { join } from "node:path"
import { Effect } from "effect"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { Current, readCurrent, Home } from "../../home/Home.ts"
import { writeJson } from "../../home/jsonFile.ts"
import type { HomeLock } from "../../home/lock/lockHome.ts"
import { stageFeed, storeFeed } from "../history/feed.ts"

/** Makes `current` the published state where no `lake.duckdb` is built: the changelogs of what is new, and `current.json`. */
export const publishFiles = Effect.fn("publishFiles")(function* (runId: RunId, current: Current, lock: HomeLock) {
  const home = yield* Home
  const before = yield* readCurrent
  const fresh = Object.keys(current.games).filter(
    (gameId) => current.games[gameId]?.snapshot !== before.games[gameId]?.snapshot
  )
  const staged = yield* Effect.forEach(fresh, (gameId) =>
    Effect.map(
      stageFeed(gameId, current, join(home.work(runId), "deployments", `game=${gameId}`)),
      (files) => [gameId, files] as const
    )
  )
  yield* lock.isOurs
  yield* writeJson(home.current, Current, current)
  for (const [gameId, files] of staged) yield* storeFeed(gameId, files)
})
