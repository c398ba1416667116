import { Effect } from "effect"
import type { InventoryFilters } from "../contract/inventory/InventoryFilters.ts"
import { chosenProducts } from "../catalogue/chosenProducts.ts"
import { requestIds } from "../catalogue/productFilter.ts"
import type { Store } from "../state/State.ts"
import { lineFilter, type Where } from "./lineFilter.ts"

/** The conditions of a search or an export: what is asked of products is looked up in the live catalogue first. */
export const chosenLines = Effect.fnUntraced(function* (store: Store, accountId: string, filters: InventoryFilters) {
  const { name, printNumber, nameSlug, productIds, expansionId, productType, productCategory, gameFilters, ...rest } =
    filters
  const { productId, ...lines } = rest
  const asked = { name, printNumber, nameSlug, productIds, expansionId, productType, productCategory, gameFilters }
  const ofProducts = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  const named = productId === undefined ? undefined : requestIds(productId).map(Number)
  if (Object.keys(ofProducts).length === 0) {
    return lineFilter(accountId, { ...lines, ...(named === undefined ? {} : { productIds: named }) })
  }
  const held = store
    .all<{ product_id: number }>("select distinct product_id from inventory_lines where account_id = :accountId", {
      accountId
    })
    .map(({ product_id }) => product_id)
  const searched = named === undefined ? held : held.filter((id) => named.includes(id))
  const where: Where = lineFilter(accountId, {
    ...lines,
    productIds: yield* chosenProducts(searched, ofProducts)
  })
  return where
})
