import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { pageLimits } from "../../feed/contract/Paging.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"
import { findExpansion, findGame, findProduct, openLive, LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import { Words } from "../wording/Wording.ts"
import { offsetBody } from "./availableBody.ts"
import { searchPage } from "./searchPage.ts"

/** Handlers of games, expansions and products of live deployments, answered with stored texts. Spec: Endpoint list. */
export const catalogueHandlers = HttpApiBuilder.group(MarketplaceApi, "catalogue", (handlers) =>
  handlers
    .handle(
      "games",
      Effect.fnUntraced(function* ({ request }) {
        const { games } = yield* LiveCatalogue
        const texts = Array.from(games.values(), (game) => game.stored.text)
        return yield* jsonAnswer(request, `{"data":[${texts.join(",")}]}`)
      })
    )
    .handle("game", ({ request, params }) =>
      Effect.flatMap(findGame(params.gameId), (game) => jsonAnswer(request, game.stored.text))
    )
    .handle(
      "expansions",
      Effect.fnUntraced(function* ({ request, params, query }) {
        const { expansions } = yield* openLive(yield* findGame(params.gameId))
        const place = { offset: query.offset ?? 0, limit: query.limit ?? pageLimits.offset.default }
        const text = (at: number) => expansions[at]?.text ?? new Uint8Array()
        return yield* jsonAnswer(request, offsetBody(place, expansions.length, text))
      })
    )
    .handle("expansion", ({ request, params }) =>
      Effect.flatMap(findExpansion(params.expansionId), ({ text }) => jsonAnswer(request, text))
    )
    .handle(
      "product",
      Effect.fnUntraced(function* ({ request, params }) {
        const { product: rule } = yield* Words.ask
        const { text } = yield* findProduct(params.productId, rule)
        return yield* jsonAnswer(request, text)
      })
    )
    .handle("products", ({ request, query }) => searchPage(request, query, {}))
    .handle("searchProducts", ({ request, query, payload }) => searchPage(request, query, payload))
)
