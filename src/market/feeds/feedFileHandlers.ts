import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { FeedFile, FeedType } from "../../feed/contract/FeedFile.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { originOf } from "../answers/originOf.ts"
import { findGame } from "../catalogue/findLive.ts"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { MarketClock, textOfMillis } from "../state/MarketClock.ts"
import { feedPath } from "./feedDownload.ts"
import { Feeds } from "./Feeds.ts"

const describe = Effect.fnUntraced(function* (game: LiveGame, feedType: FeedType) {
  const { build, links, settings } = yield* Feeds
  const { now } = yield* MarketClock
  const origin = yield* originOf
  const { generatedAt, lastRefreshedAt, packed, version } = yield* build(game, feedType)
  const expiresAt = now() + settings.linkSeconds * 1000
  const link = links.sign(feedPath(game.stored.game.id, feedType), expiresAt)
  return {
    feedType,
    // Between this answer and the download, something may be sold or repriced.
    url: origin + link + (feedType === "prices" ? `&version=${version}` : ""),
    urlExpiresAt: textOfMillis(expiresAt),
    checksum: packed.checksum,
    sizeBytes: packed.bytes.byteLength,
    recordCount: packed.recordCount,
    format: "ndjson",
    encoding: "gzip",
    lastRefreshedAt,
    generatedAt
  } satisfies FeedFile
})

const describeOne = (gameId: string, type: FeedType) => Effect.flatMap(findGame(gameId), (game) => describe(game, type))

/** The three feed files of a game and the links to them. Beyond the spec: section 8. */
export const feedFileHandlers = HttpApiBuilder.group(MarketplaceApi, "feedFiles", (handlers) =>
  handlers
    .handle(
      "feedFiles",
      Effect.fnUntraced(function* ({ params }) {
        const game = yield* findGame(params.gameId)
        const orNull = (type: FeedType) => Effect.orElseSucceed(describe(game, type), () => null)
        return {
          catalog: yield* orNull("catalog"),
          expansions: yield* orNull("expansions"),
          prices: yield* orNull("prices")
        }
      })
    )
    .handle("catalogFeed", ({ params }) => describeOne(params.gameId, "catalog"))
    .handle("expansionsFeed", ({ params }) => describeOne(params.gameId, "expansions"))
    .handle("pricesFeed", ({ params }) => describeOne(params.gameId, "prices"))
)
