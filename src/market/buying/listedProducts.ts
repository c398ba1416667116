import { Effect } from "effect"
import { soldProducts } from "../catalogue/soldProducts.ts"
import { State } from "../state/State.ts"
import { lineIdOf } from "./ListingRow.ts"

/**
 * The products of an account's cart and of these listings,
 * looked up before a write. A line never changes its product.
 */
export const listedProducts = Effect.fnUntraced(function* (accountId: string, listingIds: ReadonlyArray<string> = []) {
  const { store } = yield* State
  const rows = store.all<{ product_id: number; game: string }>(
    `select distinct product_id, game from inventory_lines
     where id in (select value from json_each(:lines))
       or id in (select line_id from cart_items where account_id = :accountId)`,
    { accountId, lines: JSON.stringify(listingIds.map(lineIdOf)) }
  )
  return yield* soldProducts(
    rows.map(({ product_id }) => String(product_id)),
    new Set(rows.map(({ game }) => game))
  )
})
