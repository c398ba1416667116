import { Context, Effect } from "effect"
import { type FeedType, FeedNotGenerated } from "../contract/feeds/FeedFile.ts"
import { keepRecent } from "../catalogue/keepRecent.ts"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { feedLines } from "./feedLines.ts"
import type { SignedLinks } from "../files/signedLinks.ts"
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
  readonly lastRefreshedAt: string
  readonly generatedAt: string
}

/** The feed files of all games, built when they are first asked for. */
export class Feeds extends Context.Service<
  Feeds,
  {
    settings: FeedSettings
    readonly links: SignedLinks
    /** Fails with FEED_NOT_GENERATED. */
    readonly build: (game: LiveGame, type: FeedType) => Effect.Effect<BuiltFeed, FeedNotGenerated>
  }
>()("cardlake/sandbox/Feeds") {}

export const makeFeeds = (
  games: ReadonlyMap<string, LiveGame>,
  now: () => number,
  links: SignedLinks
): Feeds["Service"] => {
  const pack = keepRecent(6, async (place: string) => {
    const [gameId, deployment, type] = JSON.parse(place) as [string, number, FeedType]
    const opened = await games.get(gameId)?.open(deployment)
    return packLines(opened === undefined ? [] : feedLines[type](opened))
  })
  const checksum = keepRecent(Infinity, async (place: string) => (await pack(place)).checksum)

  const build = async ({ live, stored, wentLiveAt }: LiveGame, type: FeedType): Promise<BuiltFeed> => {
    const placeOf = (deployment: number) => JSON.stringify([stored.game.id, deployment, type])
    const deployedAt = (deployment: number) => stored.deployments[deployment]?.deployedAt ?? ""
    const lagMillis = feeds.settings.lagSeconds * 1000
    let shown = live()
    while (shown > 0 && wentLiveAt(shown) + lagMillis > now()) shown--
    const packed = await pack(placeOf(shown))
    let since = shown
    // One after the other: each may have to be built.
    // oxlint-disable-next-line no-await-in-loop
    while (since > 0 && (await checksum(placeOf(since - 1))) === packed.checksum) since--
    return { packed, lastRefreshedAt: deployedAt(shown), generatedAt: deployedAt(since) }
  }
  const feeds: Feeds["Service"] = {
    settings: { lagSeconds: 0, linkSeconds: 3600, missing: [] },
    links,
    build: (game, type) => {
      const gameId = game.stored.game.id
      return feeds.settings.missing.includes(gameId)
        ? Effect.fail(new FeedNotGenerated({ message: `The feeds of ${gameId} were never built`, data: { gameId } }))
        : Effect.promise(() => build(game, type))
    }
  }
  return feeds
}
