import { Effect, Result } from "effect"
import type { NewLine } from "../contract/inventory/LineRequests.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import { openLive } from "../catalogue/findLive.ts"
import { soldProducts, type SoldProduct } from "../catalogue/soldProducts.ts"
import { createLines } from "../inventory/createLines.ts"
import { State } from "../state/State.ts"
import type { Drawn } from "./drawn.ts"
import type { Traders } from "./fillAccounts.ts"

const conditions = ["NM", "NM", "NM", "LP", "LP", "MP", "HP", "DMG"] as const

const lineOf = (drawn: Drawn, { finishes, id, isCard, languages }: SoldProduct, currency: MarketCurrency): NewLine => {
  const finish = drawn.of(finishes) ?? "Standard"
  const language = drawn.of(languages) ?? "en"
  const quantity = 1 + drawn.below(8)
  const price = { amount: (20 + drawn.below(4000)) / 100, currency }
  const condition = isCard ? (drawn.of(conditions) ?? "NM") : null
  // One line in five is stock that is not for sale.
  return { productId: id, finish, language, quantity, condition, listing: drawn.below(5) === 0 ? null : { price } }
}

/**
 * Gives every seller lines of products drawn from the live catalogue. A line that the catalogue refuses is left out.
 */
export const fillStock = Effect.fnUntraced(function* (drawn: Drawn, { sellers }: Traders, linesEach: number) {
  const { games } = yield* LiveCatalogue
  const { write } = yield* State
  const shelves = (yield* Effect.forEach(games.values(), openLive)).map(({ products }) => products)
  for (const { id, currency } of sellers) {
    const ids = Array.from({ length: linesEach }, () => {
      const shelf = drawn.of(shelves)
      return shelf === undefined ? "" : shelf.facts(drawn.below(shelf.size)).id
    })
    const products = yield* soldProducts(ids)
    const lines = ids.flatMap((each) => {
      const product = products.get(each)
      return product === undefined ? [] : [lineOf(drawn, product, currency)]
    })
    yield* write((tx) => Result.succeed(createLines(tx, id, { lines, products, origin: "" })))
  }
})
