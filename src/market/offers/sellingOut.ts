import { Effect, Semaphore } from "effect"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import type { ProductShelf } from "../catalogue/StoredCatalogue.ts"
import { State } from "../state/State.ts"
import type { LiveOffers } from "./LiveOffers.ts"
import { takeOffSale } from "./takeOffSale.ts"

const gone = (before: ProductShelf, after: ProductShelf): ReadonlyArray<number> => {
  const ids: Array<number> = []
  for (let index = 0; index < before.size; index++) {
    const id = before.id(index)
    if (Number.isSafeInteger(id) && after.find(String(id)) === undefined) ids.push(id)
  }
  return ids
}

/** Games of which a product that a deployment removes takes its listings off sale. */
export const sellingOut = Effect.map(
  State,
  ({ write }) =>
    (game: LiveGame, { setOpen }: LiveOffers["Service"]): LiveGame => {
      const oneAtATime = Semaphore.makeUnsafe(1)
      const takeOff = Effect.gen(function* () {
        const next = game.live() + 1
        if (next >= game.stored.deployments.length) return
        const [before, after] = yield* Effect.promise(() => Promise.all([game.open(next - 1), game.open(next)]))
        const productIds = gone(before.products, after.products)
        if (productIds.length === 0) return
        yield* write((tx) => takeOffSale(tx, productIds))
        setOpen(productIds, true)
      })
      return { ...game, deploy: takeOff.pipe(Effect.andThen(game.deploy), oneAtATime.withPermit) }
    }
)
