import { Effect, Stream } from "effect"
import { Marketplace } from "./Marketplace.ts"
import { offsetPages } from "./offsetPages.ts"

/** A game's expansions, page by page in the order of offsets. Spec: GET /v1/games/{gameId}/expansions. */
export const expansionPages = (gameId: string) =>
  Stream.unwrap(
    Effect.map(Marketplace, (marketplace) => offsetPages((offset) => marketplace.expansions(gameId, offset)))
  )
