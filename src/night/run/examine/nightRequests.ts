import { pageLimits } from "../../../feed/contract/Paging.ts"
import type { DeploymentId } from "../../../feed/contract/Ids.ts"
import type { Via, UsedFeeds } from "../../../feed/contract/Via.ts"
import { isStanding, isYounger, type DatedDeployment } from "../../../feed/reading/feeds/shownDeployment.ts"
import { probedPages } from "../../../feed/reading/pageMoved.ts"
import { Effect, Result } from "effect"
import type { OfferedFeeds } from "../../../feed/client/feedFiles.ts"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { changelogHead } from "../../../feed/reading/changelogEntries.ts"
import { ViaSetting } from "../NightSettings.ts"

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
  if ((yield* ViaSetting).via === "pages") return new Map<string, GameFeeds | string>()
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

/** What the lake has of a game. */
export interface PublishedReading {
  readonly via: Via
  readonly deploymentId: DeploymentId | null
  readonly feeds: UsedFeeds | null
}

/** How much of a game is to be read. */
export interface GameSize {
  readonly products: number
  /** Null: not known; a page of them is assumed. */
  readonly expansions: number | null
  /** Null: the lake does not have it. */
  readonly published: PublishedReading | null
}

const pagesOf = (records: number): number => Math.max(1, Math.ceil(records / pageLimits.offset.max))

/** The head of the changelog, before and after what is read; by feed files, also what is said of these. */
const looks = 2

/** How many deployments are new, and these: of a game that the lake has. */
const changelog = (isPublished: boolean): number => (isPublished ? 2 : 1)

/** Requests for a game page by page, if it is not deployed meanwhile. */
export const requestsByPages = ({ expansions, products, published }: GameSize): number => {
  const pages = pagesOf(products)
  return looks + pagesOf(expansions ?? 0) + pages + changelog(published !== null) + probedPages(pages).length
}

/** Three more looks at files that lag, and what the changelog had before. */
const waiting = 3 * 2 + 1

/** Requests for a game by its feed files, downloads aside, which have no limit; at most, where they lag. */
export const requestsByFeeds = (
  { published }: Pick<GameSize, "published">,
  { head, offered }: GameFeeds & { readonly offered: NonNullable<GameFeeds["offered"]> }
): number => {
  if (published !== null && isStanding(published, { head, offered })) return 2
  const news = head === null || head.id === published?.deploymentId ? 0 : changelog(published !== null)
  return 2 * looks + news + (lags(head, offered) ? waiting : 0)
}

/** Whether the files do not show the newest deployment yet. */
export const lags = (head: GameFeeds["head"], offered: NonNullable<GameFeeds["offered"]>): boolean =>
  head !== null && isYounger(head, offered)
