import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { changelogPage } from "./changelogPage.ts"
import { findGame } from "./findLive.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"

/** The change history of the feeds. Spec: GET /v1/feeds/{gameId}/changelog. */
export const feedsHandlers = HttpApiBuilder.group(MarketplaceApi, "feeds", (handlers) =>
  handlers.handle(
    "changelog",
    Effect.fnUntraced(function* ({ request, params, query }) {
      return yield* jsonAnswer(request, yield* changelogPage(yield* findGame(params.gameId), query))
    })
  )
)
