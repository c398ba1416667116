import { Effect, Stream } from "effect"
import { Marketplace } from "./Marketplace.ts"
import type { OffsetPagination } from "./pageCalls.ts"
import type { Page } from "./RawBody.ts"
import { offsetPages, type PagePlace } from "./offsetPages.ts"

/**
 * A game's expansions in the order of their offsets. `use` takes pages in parallel.
 * Spec: GET /v1/games/{gameId}/expansions.
 */
export const expansionPages = <A, E, R>(
  gameId: string,
  use: (page: Page<OffsetPagination>, place: PagePlace) => Effect.Effect<A, E, R>
) =>
  Stream.unwrap(
    Effect.map(Marketplace, (marketplace) => offsetPages((offset) => marketplace.expansions(gameId, offset), use))
  )
