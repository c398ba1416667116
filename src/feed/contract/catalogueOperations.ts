import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { GameId, Expansion, Game } from "./Catalogue.ts"
import { changelogEntry } from "./Changelog.ts"
import { dialects } from "./dialect/dialects.ts"
import { common, NotFound, UnknownGame } from "./Errors.ts"
import { Bucket, catalogueSearch } from "./Bucket.ts"
import { CursorPage, cursorQuery, OffsetPage, offsetQuery } from "./Paging.ts"
import { product } from "./Product.ts"
import { SearchRequest } from "./SearchRequest.ts"

/** The API describes itself in the spec's words. */
const Product = product(dialects.spec)

const Games = Schema.Struct({ data: Schema.Array(Game) }).annotate({ title: "GameList" })
const game = { gameId: GameId }
const productId = { productId: Schema.String }
const expansionId = { expansionId: Schema.String }

/** Games, expansions, products. No scope needed. Spec: Endpoint list. */
export const catalogueOperations = HttpApiGroup.make("catalogue").add(
  HttpApiEndpoint.get("games", "/v1/games", { success: Games, error: common }).annotate(OpenApi.Summary, "All games"),
  HttpApiEndpoint.get("game", "/v1/games/:gameId", {
    params: game,
    success: Game,
    error: [...common, NotFound]
  }).annotate(OpenApi.Summary, "A game"),
  HttpApiEndpoint.get("expansions", "/v1/games/:gameId/expansions", {
    params: game,
    query: offsetQuery,
    success: OffsetPage(Expansion),
    error: [...common, NotFound]
  }).annotate(OpenApi.Summary, "Expansions of a game, newest release first"),
  HttpApiEndpoint.get("expansion", "/v1/expansions/:expansionId", {
    params: expansionId,
    success: Expansion,
    error: [...common, NotFound]
  }).annotate(OpenApi.Summary, "An expansion"),
  HttpApiEndpoint.get("product", "/v1/products/:productId", {
    params: productId,
    success: Product,
    error: [...common, NotFound]
  }).annotate(OpenApi.Summary, "A product: a card or a sealed product"),
  HttpApiEndpoint.get("products", "/v1/products", {
    query: offsetQuery,
    success: OffsetPage(Product),
    error: common
  }).annotate(OpenApi.Summary, "All products"),
  HttpApiEndpoint.post("searchProducts", "/v1/products/search", {
    query: offsetQuery,
    payload: SearchRequest,
    success: OffsetPage(Product),
    error: common
  })
    .annotate(OpenApi.Summary, "Search products")
    .annotate(Bucket, catalogueSearch)
)

/** `true` or `false` in a query. */
const Flag = Schema.Literals(["true", "false"])

/** The change history of a game's feed. Any valid key. Spec: GET /v1/feeds/{gameId}/changelog. */
export const feedOperations = HttpApiGroup.make("feeds").add(
  HttpApiEndpoint.get("changelog", "/v1/feeds/:gameId/changelog", {
    params: game,
    query: { ...cursorQuery, includeChanges: Schema.optionalKey(Flag) },
    success: CursorPage(changelogEntry(dialects.spec)),
    error: [...common, UnknownGame]
  }).annotate(OpenApi.Summary, "Change history of a game's feed, newest deployment first")
)
