import { Context, Effect, Semaphore } from "effect"
import { State } from "../state/State.ts"
import { LiveOffers } from "./LiveOffers.ts"
import type { LivingGame } from "./livingGame.ts"
import type { ToldShelf } from "./livingShelf.ts"
import { openListings, type ToldProduct } from "./openListings.ts"

/** Puts the listings of products into the state, so that they can be listed and bought. */
export class Stalls extends Context.Service<
  Stalls,
  { readonly open: (productIds: Iterable<number>) => Effect.Effect<void> }
>()("cardlake/sandbox/Stalls") {}

/** As many products as one write opens. */
const atOnce = 500

export const makeStalls = (games: ReadonlyArray<LivingGame>) =>
  Effect.gen(function* () {
    const { write } = yield* State
    const { isOpen, setOpen, unmoved } = yield* LiveOffers
    const oneAtATime = yield* Semaphore.make(1)
    const toldProducts = (shelves: ReadonlyArray<readonly [string, ToldShelf]>, ids: ReadonlyArray<number>) =>
      ids.flatMap((productId): ReadonlyArray<ToldProduct> => {
        for (const [game, { listings, shelf }] of shelves) {
          const place = shelf.find(String(productId))
          const told = place === undefined ? [] : listings(place)
          if (told.length > 0) return [{ productId, game, listings: told }]
        }
        return []
      })
    const openNow = Effect.fnUntraced(function* (productIds: ReadonlyArray<number>) {
      const shelves = yield* Effect.promise(() =>
        Promise.all(games.map(async ({ stored, told }) => [stored.game.id, await told()] as const))
      )
      for (let from = 0; from < productIds.length; from += atOnce) {
        const products = toldProducts(
          shelves,
          productIds.slice(from, from + atOnce).filter((id) => !isOpen(id))
        )
        if (products.length === 0) continue
        yield* write((tx) => unmoved(() => openListings(tx, products)))
        setOpen(
          products.map(({ productId }) => productId),
          false
        )
        yield* Effect.yieldNow
      }
    }, oneAtATime.withPermit)
    return Stalls.of({
      open: (productIds) => {
        const closed = [...productIds].filter((id) => !isOpen(id))
        return closed.length === 0 ? Effect.void : openNow(closed)
      }
    })
  })
