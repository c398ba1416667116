import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MarketplaceApi } from "../../contract/MarketplaceApi.ts"
import { pageLimits } from "../../contract/Paging.ts"
import { badRequest } from "../answers/badRequest.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"
import { LiveCatalogue } from "./LiveCatalogue.ts"
import type { LiveGame } from "./LiveGame.ts"
import { notFound } from "../answers/notFound.ts"
import { offsetBody } from "./offsetBody.ts"
import { searchPage } from "./searchPage.ts"

/** The game with this id. Fails with GAME_NOT_FOUND. */
export const findGame = Effect.fnUntraced(function* (gameId: string) {
  const { games } = yield* LiveCatalogue
  return games.get(gameId) ?? (yield* notFound("gameId", gameId))
})

const openLive = (game: LiveGame) => Effect.promise(() => game.open(game.live()))

/** The stored text that `read` finds first over all games. Fails with 400 for no number, with the not-found code else. */
const findText = Effect.fnUntraced(function* (
  field: "productId" | "expansionId",
  id: string,
  read: (game: LiveGame, id: string) => Effect.Effect<Uint8Array | undefined>
) {
  if (!/^-?\d{1,16}$/.test(id)) return yield* badRequest(field, `expected an integer, got ${id}`)
  const { games } = yield* LiveCatalogue
  for (const game of games.values()) {
    const text = yield* read(game, BigInt(id).toString())
    if (text !== undefined) return text
  }
  return yield* notFound(field, id)
})

const productText = (game: LiveGame, id: string) =>
  Effect.map(openLive(game), ({ products }) => {
    const index = products.find(id)
    return index === undefined ? undefined : products.text(index)
  })

const expansionText = (game: LiveGame, id: string) =>
  Effect.map(openLive(game), ({ expansions }) => expansions.find((expansion) => expansion.id === id)?.text)

/** Games, expansions and products of the live deployments, answered with their stored text. Spec: Endpoint list. */
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
      Effect.flatMap(findText("expansionId", params.expansionId, expansionText), (text) => jsonAnswer(request, text))
    )
    .handle("product", ({ request, params }) =>
      Effect.flatMap(findText("productId", params.productId, productText), (text) => jsonAnswer(request, text))
    )
    .handle("products", ({ request, query }) => searchPage(request, query, {}))
    .handle("searchProducts", ({ request, query, payload }) => searchPage(request, query, payload))
)
