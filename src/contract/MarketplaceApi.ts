import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Account } from "./Account.ts"
import { Authorization } from "./Authorization.ts"
import { GameId } from "./Catalogue.ts"
import { ChangelogEntry } from "./Changelog.ts"
import { BadRequest, Forbidden, InternalServerError, NotFound, ServiceUnavailable } from "./Errors.ts"
import { Expansion } from "./Expansion.ts"
import { Game } from "./Game.ts"
import { CursorPage, cursorQuery, OffsetPage, offsetQuery } from "./Paging.ts"
import { Product } from "./Product.ts"
import { SearchRequest } from "./SearchRequest.ts"

/** What any operation may answer besides its own: with 401 and 429 of {@link Authorization} the spec's common list. */
const common = [BadRequest, Forbidden, InternalServerError, ServiceUnavailable] as const
const game = { gameId: GameId }
const productId = { productId: Schema.String }
const expansionId = { expansionId: Schema.String }

/** Games, expansions, products. No scope needed. Spec: Endpoint list. */
const catalogue = HttpApiGroup.make("catalogue").add(
  HttpApiEndpoint.get("games", "/v1/games", { success: Schema.Struct({ data: Schema.Array(Game) }), error: common }),
  HttpApiEndpoint.get("game", "/v1/games/:gameId", { params: game, success: Game, error: [...common, NotFound] }),
  HttpApiEndpoint.get("expansions", "/v1/games/:gameId/expansions", {
    params: game,
    query: offsetQuery,
    success: OffsetPage(Expansion),
    error: [...common, NotFound]
  }),
  HttpApiEndpoint.get("expansion", "/v1/expansions/:expansionId", {
    params: expansionId,
    success: Expansion,
    error: [...common, NotFound]
  }),
  HttpApiEndpoint.get("product", "/v1/products/:productId", {
    params: productId,
    success: Product,
    error: [...common, NotFound]
  }),
  HttpApiEndpoint.get("products", "/v1/products", { query: offsetQuery, success: OffsetPage(Product), error: common }),
  HttpApiEndpoint.post("searchProducts", "/v1/products/search", {
    query: offsetQuery,
    payload: SearchRequest,
    success: OffsetPage(Product),
    error: common
  })
)

/** `true` or `false` in a query. */
const Flag = Schema.Literals(["true", "false"])

/** The change history of a game's feed. Any valid key. Spec: GET /v1/feeds/{gameId}/changelog. */
const feeds = HttpApiGroup.make("feeds").add(
  HttpApiEndpoint.get("changelog", "/v1/feeds/:gameId/changelog", {
    params: game,
    query: { ...cursorQuery, includeChanges: Schema.optionalKey(Flag) },
    success: CursorPage(ChangelogEntry),
    error: [...common, NotFound]
  })
)

/** The account behind the key; needs `account:read`. Spec: Endpoint list, used to verify a key. */
const account = HttpApiGroup.make("account").add(
  HttpApiEndpoint.get("me", "/v1/account/me", { success: Account, error: common })
)

/**
 * The part of the marketplace API that Cardlake reads. Client, sandbox and `/openapi.json` all come from it.
 * Spec: Endpoints; what the spec leaves open: beyond the spec, sections 1 to 9.
 */
export class MarketplaceApi extends HttpApi.make("marketplace")
  .add(catalogue.middleware(Authorization), feeds.middleware(Authorization), account.middleware(Authorization))
  .annotateMerge(
    OpenApi.annotations({
      title: "Trading-card marketplace",
      version: "v1",
      description: "Catalogue, prices and feed changelog as Cardlake reads them"
    })
  ) {}

/** Goes into every manifest: which reading of the contract made a snapshot. Raised when a table's meaning changes. */
export const contractVersion = 2
