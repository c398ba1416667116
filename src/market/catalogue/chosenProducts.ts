import { Effect } from "effect"
import { LiveCatalogue } from "./LiveCatalogue.ts"
import { productFilter, type ProductFilters } from "./productFilter.ts"

/** Those of the ids whose live product passes the filters. Fails with 400 for an attribute filter that cannot be. */
export const chosenProducts = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, filters: ProductFilters) {
  const { games } = yield* LiveCatalogue
  const wanted = filters.gameFilters?.game
  const chosen: Array<number> = []
  for (const game of games.values()) {
    if (wanted !== undefined && game.stored.game.id !== wanted) continue
    const { products } = yield* Effect.promise(() => game.open(game.live()))
    const matches = yield* productFilter(products, filters)
    for (const id of ids) {
      const index = products.find(String(id))
      if (index !== undefined && matches(products.facts(index), index)) chosen.push(id)
    }
  }
  return chosen
})
