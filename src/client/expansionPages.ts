import { Effect, Stream } from "effect"
import { Marketplace } from "./Marketplace.ts"
import type { OpenPage } from "./openPage.ts"
import { pageCalls } from "./pageCalls.ts"
import type { OffsetPagination } from "./pageCalls.ts"
import type { OpenedPage } from "./RawBody.ts"
import { offsetPages, type PagePlace } from "./offsetPages.ts"

/**
 * A game's expansions in the order of their offsets. `use` takes pages in parallel.
 * Spec: GET /v1/games/{gameId}/expansions.
 */
export const expansionPages = <P extends OpenedPage<OffsetPagination>, A, E, R>(
  gameId: string,
  open: OpenPage<OffsetPagination, P>,
  use: (page: P, place: PagePlace) => Effect.Effect<A, E, R>
) =>
  Stream.unwrap(
    Effect.map(Marketplace, (marketplace) =>
      offsetPages((offset) => marketplace.opened(pageCalls.expansions(gameId, offset), open), use)
    )
  )
