import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { UnknownGame } from "../../feed/contract/Errors.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { changelogPage } from "./changelogPage.ts"
import { findGame } from "./findLive.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"

/** The change history of the feeds. Spec: GET /v1/feeds/{gameId}/changelog. */
export const feedsHandlers = HttpApiBuilder.group(MarketplaceApi, "feeds", (handlers) =>
  handlers.handle(
    "changelog",
    Effect.fnUntraced(function* ({ request, params, query }) {
      const { gameId } = params
      const game = yield* Effect.mapError(
        findGame(gameId),
        ({ message }) => new UnknownGame({ message, data: { gameId } })
      )
      return yield* jsonAnswer(request, yield* changelogPage(game, query))
    })
  )
)
