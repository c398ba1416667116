import { pageLimits } from "../../../feed/contract/Paging.ts"
import type { DeploymentId } from "../../../feed/contract/Ids.ts"
import type { Via, UsedFeeds } from "../../../feed/contract/Via.ts"
import { isStanding, isYounger, type DatedDeployment } from "../../../feed/reading/feeds/shownDeployment.ts"
import { probedPages } from "../../../feed/reading/knownPages.ts"
import { Effect, Result } from "effect"
import type { OfferedFeeds } from "../../../feed/client/otherCalls.ts"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { changelogHead } from "../../../feed/reading/changelogEntries.ts"
import { ViaSetting } from "../NightSettings.ts"

/** A game's feed files on the marketplace, and its newest deployment. */
export interface GameFeeds {
  readonly head: DatedDeployment | null
  /** Null if it has none. */
  readonly offered: OfferedFeeds
}

/** Feed files by game; a text is the reason why they are unknown. Empty if no night would read them. */
export type FeedsOfGames = ReadonlyMap<string, GameFeeds | string>

/** Requests the feed files of games, with two requests for each. */
export const feedsOfGames = Effect.fnUntraced(function* (gameIds: ReadonlyArray<string>) {
  if ((yield* ViaSetting).via === "pages") return new Map<string, GameFeeds | string>()
  const marketplace = yield* Marketplace
  const found = yield* Effect.forEach(
    gameIds,
    Effect.fnUntraced(function* (gameId) {
      const offered = yield* Effect.result(
        Effect.catchTag(marketplace.feedFiles(gameId), "NotFound", () => Effect.succeed(null))
      )
      if (Result.isFailure(offered)) return [gameId, offered.failure.message] as const
      // Without files the night reads pages, so an unreadable changelog is not reported here.
      const head = offered.success === null ? Result.succeed(null) : yield* Effect.result(changelogHead(gameId))
      if (Result.isFailure(head)) return [gameId, head.failure.message] as const
      return [gameId, { head: head.success, offered: offered.success }] as const
    }),
    { concurrency: 4 }
  )
  return new Map<string, GameFeeds | string>(found)
})

export interface PublishedReading {
  readonly via: Via
  readonly deploymentId: DeploymentId | null
  readonly feeds: UsedFeeds | null
}

export interface GameSize {
  readonly products: number
  /** Null if unknown; one page is assumed. */
  readonly expansions: number | null
  /** Null if the lake does not have the game. */
  readonly published: PublishedReading | null
}

const countPages = (records: number): number => Math.max(1, Math.ceil(records / pageLimits.offset.max))

/** Checks of the changelog head, before and after the reading; for feed files also of their description. */
const looks = 2

/** Returns the changelog's requests. For a game of the lake: the count of new deployments, then these. */
const changelog = (isPublished: boolean): number => (isPublished ? 2 : 1)

/** Returns the requests of a reading by pages, unless a deployment interrupts it. */
export const requestsByPages = ({ expansions, products, published }: GameSize): number => {
  const pages = countPages(products)
  return looks + countPages(expansions ?? 0) + pages + changelog(published !== null) + probedPages(pages).length
}

/** Max requests for lagging files: three more checks, and the earlier changelog. */
const waiting = 3 * 2 + 1

/** Returns the requests of a reading by feed files; the max if they lag. Downloads have no limit and do not count. */
export const requestsByFeeds = (
  { published }: Pick<GameSize, "published">,
  { head, offered }: GameFeeds & { readonly offered: NonNullable<GameFeeds["offered"]> }
): number => {
  if (published !== null && isStanding(published, { head, offered })) return 2
  const news = head === null || head.id === published?.deploymentId ? 0 : changelog(published !== null)
  return 2 * looks + news + (lags(head, offered) ? waiting : 0)
}

/** True if the files do not show the newest deployment yet. */
export const lags = (head: GameFeeds["head"], offered: NonNullable<GameFeeds["offered"]>): boolean =>
  head !== null && isYounger(head, offered)
