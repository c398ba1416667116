import { Effect, Result, Schema } from "effect"
import { HttpApiClient } from "effect/http-api"
import { Account, NightlyApi } from "../contract/NightlyApi.ts"
import type { Dialect } from "../contract/dialect/dialects.ts"
import { rewordFeeds, rewordPage } from "../contract/dialect/reworded.ts"
import type { Call } from "./attempt.ts"
import { historyOperation } from "./limiter/RateBuckets.ts"
import { type OfferedFeeds, readFeedFiles } from "./feedFiles.ts"
import { type ApiClient, countSearch } from "./offsetLists.ts"
import { readJson } from "./OpenFault.ts"
import { openBody, wholePage } from "./openPage.ts"
import { readOffsetPage, withAtMost } from "./pageCalls.ts"
import type { Page, RawBody } from "./RawBody.ts"
import type { Secret } from "./scrub.ts"

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
