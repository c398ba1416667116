import { Effect, Result } from "effect"
import type { OfferedFeeds } from "../../../feed/client/feedFiles.ts"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { changelogHead } from "../../../feed/reading/changelogEntries.ts"
import type { DatedDeployment } from "../../../feed/reading/feeds/shownDeployment.ts"
import { AskedRoad } from "../AskedRoad.ts"

/** What a marketplace offers of a game's feed files, and its newest deployment. */
export interface GameFeeds {
  readonly head: DatedDeployment | null
  /** Null: it has none. */
  readonly offered: OfferedFeeds
}

/** By game; a text says why it cannot be known. Empty where no night would read them. */
export type FeedsOfGames = ReadonlyMap<string, GameFeeds | string>

/** Asks about the feed files of games, two requests for each. */
export const feedsOfGames = Effect.fnUntraced(function* (gameIds: ReadonlyArray<string>) {
  if ((yield* AskedRoad).road === "pages") return new Map<string, GameFeeds | string>()
  const marketplace = yield* Marketplace
  const found = yield* Effect.forEach(
    gameIds,
    Effect.fnUntraced(function* (gameId) {
      const offered = yield* Effect.result(
        Effect.catchTag(marketplace.feedFiles(gameId), "NotFound", () => Effect.succeed(null))
      )
      if (Result.isFailure(offered)) return [gameId, offered.failure.message] as const
      // Without files, the night goes page by page: what its changelog says is its own matter.
      const head = offered.success === null ? Result.succeed(null) : yield* Effect.result(changelogHead(gameId))
      if (Result.isFailure(head)) return [gameId, head.failure.message] as const
      return [gameId, { head: head.success, offered: offered.success }] as const
    }),
    { concurrency: 4 }
  )
  return new Map<string, GameFeeds | string>(found)
})
