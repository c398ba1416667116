import { Context, Effect } from "effect"
import type { LiveAtStart, LiveGame } from "../catalogue/LiveGame.ts"
import type { StoredGame } from "../catalogue/StoredCatalogue.ts"
import { frozenOffers, LiveOffers, makeLiveOffers } from "./LiveOffers.ts"
import { countBlocks, livingGame } from "./livingGame.ts"
import { sellingOut } from "./sellingOut.ts"
import { makeStalls, Stalls } from "./Stalls.ts"

/** Live blocks are counted: the games with them, and what else knows of it. */
export const livePrices = Effect.fnUntraced(function* (games: ReadonlyArray<StoredGame>, start: LiveAtStart) {
  const offers = yield* makeLiveOffers
  const living = games.map((game) => livingGame(game, start, offers))
  const stalls = yield* Effect.provideService(makeStalls(living), LiveOffers, offers)
  const sellOut = yield* sellingOut
  return {
    stored: living.map(({ stored }) => stored),
    counted: Effect.promise(() => countBlocks(living)),
    deploying: (game: LiveGame) => sellOut(game, offers),
    context: Context.make(LiveOffers, offers).pipe(Context.add(Stalls, stalls))
  }
})

/** Live blocks are those of the catalogue, whatever is sold. */
export const frozenPrices = (games: ReadonlyArray<StoredGame>) =>
  Effect.succeed({
    stored: games,
    counted: Effect.succeed({ blocks: 0, contradicting: 0 }),
    deploying: (game: LiveGame) => game,
    context: Context.make(LiveOffers, frozenOffers).pipe(Context.add(Stalls, { open: () => Effect.void }))
  })
