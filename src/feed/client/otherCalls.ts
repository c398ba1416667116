import { Effect, Record, Result, Schema } from "effect"
import { Count, readInstant, matching } from "../contract/Catalogue.ts"
import type { FeedType } from "../contract/FeedFile.ts"
import { maxRecords } from "../contract/Paging.ts"
import { type NotOurJson, readJson } from "./OpenFault.ts"
import { HttpApiClient } from "effect/http-api"
import { Account, NightlyApi } from "../contract/NightlyApi.ts"
import type { Dialect } from "../contract/dialect/dialects.ts"
import { rewordFeeds, rewordPage } from "../contract/dialect/reworded.ts"
import type { Call } from "./attempt.ts"
import { historyOperation } from "./limiter/RateBuckets.ts"
import { type ApiClient, countSearch } from "./offsetLists.ts"
import { openBody, wholePage, readOffsetPage, withAtMost } from "./pageCalls.ts"
import type { Page, RawBody } from "./RawBody.ts"
import type { Secret } from "./scrub.ts"

/** The maximum size of a feed file, packed or unpacked: ten times the largest game. */
export const maxFeedBytes = 4 * 1024 ** 3

/** The required properties of a feed file. The service may add others or change their format. */
const OfferedFeed = Schema.Struct({
  /** A signed link. It grants access to the file, so it is never stored or shown. */
  url: Schema.NonEmptyString,
  /** SHA-256 of the unpacked lines. */
  checksum: Schema.String.check(matching(/^(?:sha256:)?[0-9a-f]{64}$/i, "a SHA-256 in hex")),
  /** The size of the packed file. */
  sizeBytes: Count.check(Schema.isLessThanOrEqualTo(maxFeedBytes)),
  recordCount: Count.check(Schema.isLessThanOrEqualTo(maxRecords)),
  lastRefreshedAt: Schema.String,
  generatedAt: Schema.String
})
export type OfferedFeed = typeof OfferedFeed.Type

/** The feed files of a game; null if it does not have all three. */
export type OfferedFeeds = { readonly [Type in FeedType]: OfferedFeed } | null

const decode = readJson(
  Schema.Struct({ catalog: OfferedFeed, expansions: OfferedFeed, prices: OfferedFeed }),
  "about feed files"
)
const isAboutFeeds = Schema.is(
  Schema.Struct({ catalog: Schema.Unknown, expansions: Schema.Unknown, prices: Schema.Unknown })
)

const withPlainSum = (feed: OfferedFeed): OfferedFeed => ({
  ...feed,
  // A time that cannot be stored counts as newer than every deployment.
  lastRefreshedAt: readInstant(feed.lastRefreshedAt) ?? "9999-12-31T23:59:59.999Z",
  checksum: feed.checksum.replace(/^sha256:/i, "").toLowerCase()
})

/** Parses the description of a game's feed files. */
export const readFeedFiles = (json: unknown): Result.Result<OfferedFeeds, NotOurJson> => {
  if (isAboutFeeds(json) && [json.catalog, json.expansions, json.prices].includes(null)) return Result.succeed(null)
  return Result.map(decode(json), (feeds) => Record.map(feeds, withPlainSum))
}

const listJson = readJson(Schema.Struct({ data: Schema.Array(Schema.Unknown) }), "a list")
const readAccount = readJson(Account, "an account", "none")

/** The maximum length of the list of games, which has no pages. */
const maxGames = 1000

const readList = (json: unknown) =>
  Result.map(Result.flatMap(withAtMost(maxGames, json), listJson), (list) => ({ ...list, pagination: null }))

/** A request for a product's prices between two days, inclusive. */
export interface HistoryRequest {
  readonly game: string
  readonly productId: number
  readonly from: string
  readonly to: string
}

const paths = HttpApiClient.urlBuilder(NightlyApi)

export const otherCalls = (client: ApiClient, dialect: Dialect | null, secret: Secret) => {
  const readCount = (json: unknown) => readOffsetPage(0)(rewordPage(json, "products", dialect))
  return {
    games: {
      operation: "games",
      game: null,
      request: `GET ${paths.catalogue.games()}`,
      send: client.catalogue.games({ responseMode: "response-only" }),
      open: (answer) => wholePage(answer, { read: (json) => readList(rewordPage(json, "games", dialect)) }, secret)
    } satisfies Call<Page<null>>,
    account: {
      operation: "account",
      game: null,
      request: `GET ${paths.account.me()}`,
      send: client.account.me({ responseMode: "response-only" }),
      open: (answer) => Effect.map(openBody(answer, secret, readAccount), ({ value }) => value)
    } satisfies Call<typeof Account.Type>,
    feedFiles: (gameId: string): Call<OfferedFeeds> => ({
      operation: "feeds",
      game: gameId,
      request: `GET ${paths.feedFiles.feedFiles({ params: { gameId } })}`,
      send: client.feedFiles.feedFiles({ params: { gameId }, responseMode: "response-only" }),
      open: (answer) =>
        Effect.map(
          openBody(answer, secret, (json) => readFeedFiles(rewordFeeds(json, dialect))),
          ({ value }) => value
        )
    }),
    productCount: (gameId: string): Call<number> => ({
      operation: "products",
      game: gameId,
      request: countSearch.request(gameId),
      send: countSearch.send(client, gameId),
      open: (answer) => Effect.map(openBody(answer, secret, readCount), ({ value }) => value.pagination.total)
    }),
    /** Accepts any JSON; the caller validates it. Beyond the spec: section 7. */
    priceHistory: ({ from, game, productId, to }: HistoryRequest): Call<RawBody> => {
      const where = { params: { productId: String(productId) }, query: { from, to } }
      return {
        operation: historyOperation,
        game,
        request: `GET ${paths.prices.priceHistory(where)}`,
        send: client.prices.priceHistory({ ...where, responseMode: "response-only" }),
        open: (answer) => Effect.map(openBody(answer, secret, Result.succeed), ({ body }) => body)
      }
    }
  }
}
