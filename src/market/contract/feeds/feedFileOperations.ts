import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { GameId } from "../../../contract/Catalogue.ts"
import { common, NotFound } from "../../../contract/Errors.ts"
import { FeedFile, feedFilesOperation, FeedNotGenerated } from "../../../contract/FeedFile.ts"

const params = { gameId: GameId }
const error = [...common, NotFound, FeedNotGenerated] as const

/** The feed files of a game. Any valid key. Beyond the spec: section 8. */
export const feedFileOperations = HttpApiGroup.make("feedFiles").add(
  feedFilesOperation,
  HttpApiEndpoint.get("catalogFeed", "/v1/feeds/:gameId/catalog", { params, success: FeedFile, error }).annotate(
    OpenApi.Summary,
    "The feed file of a game's products"
  ),
  HttpApiEndpoint.get("expansionsFeed", "/v1/feeds/:gameId/expansions", { params, success: FeedFile, error }).annotate(
    OpenApi.Summary,
    "The feed file of a game's expansions"
  ),
  HttpApiEndpoint.get("pricesFeed", "/v1/feeds/:gameId/prices", { params, success: FeedFile, error }).annotate(
    OpenApi.Summary,
    "The feed file of a game's prices"
  )
)
