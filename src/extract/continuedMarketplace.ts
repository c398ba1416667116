import { Effect } from "effect"
import type { Marketplace } from "../client/Marketplace.ts"
import { PageRoom } from "../client/PageRoom.ts"
import type { Page } from "../client/RawBody.ts"
import { pageCalls } from "../client/pageCalls.ts"
import type { PageCall } from "../client/pageCalls.ts"
import { storedPage } from "./StoredRound.ts"
import type { StoredRound } from "./StoredRound.ts"

const leaveRoom = Effect.flatMap(PageRoom, ({ leave }) => leave)

/** The marketplace, asked only for pages that an earlier run has not left on disk. `onStored` hears of each that is taken from there. */
export const continuedMarketplace = (
  marketplace: Marketplace["Service"],
  round: StoredRound,
  onStored: () => void
): Marketplace["Service"] => {
  const stored = <P, E>(call: PageCall<P>, ask: Effect.Effect<Page<P>, E>): Effect.Effect<Page<P>, E> =>
    Effect.flatMap(storedPage(round, call), (page) => {
      if (page === null) return Effect.andThen(leaveRoom, ask)
      onStored()
      return Effect.succeed(page)
    })
  return {
    ...marketplace,
    changelog: (gameId, query) => stored(pageCalls.changelog(gameId, query), marketplace.changelog(gameId, query)),
    expansions: (gameId, offset) =>
      stored(pageCalls.expansions(gameId, offset), marketplace.expansions(gameId, offset)),
    products: (gameId, offset) => stored(pageCalls.products(gameId, offset), marketplace.products(gameId, offset))
  }
}
