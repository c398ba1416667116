import { Context, Effect } from "effect"
import { type FeedType, FeedNotGenerated } from "../contract/feeds/FeedFile.ts"
import { keepRecent } from "../catalogue/keepRecent.ts"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { feedLines } from "./feedLines.ts"
import type { SignedLinks } from "../files/signedLinks.ts"
import type { LiveOffers } from "../offers/LiveOffers.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import { type PackedLines, packLines } from "./packLines.ts"

/** How the feed files behave; the control routes change it. */
export interface FeedSettings {
  /** How long the files stay behind a deployment. */
  readonly lagSeconds: number
  /** How long a link works. */
  readonly linkSeconds: number
  /** Games whose files were never built. */
  readonly missing: ReadonlyArray<string>
}

/** A feed file as it is now, and since when. */
export interface BuiltFeed {
  readonly packed: PackedLines
  /** Of how many moves of listings and rebuilds of prices it tells; 0: of none, as a file without live blocks. */
  readonly version: number
  readonly lastRefreshedAt: string
  readonly generatedAt: string
}

/** The feed files of all games, built when they are first asked for. */
export class Feeds extends Context.Service<
  Feeds,
  {
    settings: FeedSettings
    readonly links: SignedLinks
    /** As it is now, or an earlier version if that is still there. Fails with FEED_NOT_GENERATED. */
    readonly build: (game: LiveGame, type: FeedType, version?: number) => Effect.Effect<BuiltFeed, FeedNotGenerated>
  }
>()("cardlake/sandbox/Feeds") {}

export const makeFeeds = (
  games: ReadonlyMap<string, LiveGame>,
  now: () => number,
  links: SignedLinks,
  { lastMoveAt, moves }: LiveOffers["Service"]
): Feeds["Service"] => {
  const pack = keepRecent(12, async (place: string) => {
    const [gameId, deployment, type] = JSON.parse(place) as [string, number, FeedType]
    const opened = await games.get(gameId)?.open(deployment)
    return packLines(opened === undefined ? [] : feedLines[type](opened))
  })
  const checksum = keepRecent(1000, async (place: string) => (await pack(place)).checksum)

  const build = async (game: LiveGame, type: FeedType, asked?: number): Promise<BuiltFeed> => {
    const { live, stored, wentLiveAt } = game
    const version = type === "prices" ? (asked ?? moves() + game.rebuilt.count()) : 0
    const placeOf = (deployment: number) => JSON.stringify([stored.game.id, deployment, type, version])
    const deployedAt = (deployment: number) => stored.deployments[deployment]?.deployedAt ?? ""
    const lagMillis = feeds.settings.lagSeconds * 1000
    let shown = live()
    while (shown > 0 && wentLiveAt(shown) + lagMillis > now()) shown--
    const packed = await pack(placeOf(shown))
    if (version > 0) {
      const movedAt = textOfMillis(Math.max(lastMoveAt(), wentLiveAt(shown), game.rebuilt.lastAt()))
      return { packed, version, lastRefreshedAt: movedAt, generatedAt: movedAt }
    }
    let since = shown
    // One after the other: each may have to be built.
    // oxlint-disable-next-line no-await-in-loop
    while (since > 0 && (await checksum(placeOf(since - 1))) === packed.checksum) since--
    return { packed, version, lastRefreshedAt: deployedAt(shown), generatedAt: deployedAt(since) }
  }
  const feeds: Feeds["Service"] = {
    settings: { lagSeconds: 0, linkSeconds: 3600, missing: [] },
    links,
    build: (game, type, version) => {
      const gameId = game.stored.game.id
      return feeds.settings.missing.includes(gameId)
        ? Effect.fail(new FeedNotGenerated({ message: `The feeds of ${gameId} were never built`, data: { gameId } }))
        : Effect.promise(() => build(game, type, version))
    }
  }
  return feeds
}
