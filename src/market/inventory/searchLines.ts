import { Effect } from "effect"
import type { InventorySearch, InventoryFilters } from "../contract/inventory/InventoryFilters.ts"
import { limits } from "../contract/Limits.ts"
import { pageLimits } from "../../feed/contract/Paging.ts"
import { originOf } from "../answers/plainRequest.ts"
import { badRequest } from "../answers/refusals.ts"
import { ownState } from "../state/answerOnce.ts"
import type { Store } from "../state/State.ts"
import { lineOf, selectLines, type ShownRow } from "./LineRow.ts"
import { chosenProducts, requestIds } from "../catalogue/productFilter.ts"
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

/** One page of a search over the caller's lines, by id. Ours never lags. Beyond the spec: section 10. */
export const searchLines = Effect.fnUntraced(function* ({
  limit = pageLimits.offset.default,
  offset = 0,
  ...filters
}: typeof InventorySearch.Type) {
  const { accountId, store } = yield* ownState
  const origin = yield* originOf
  if (offset > limits.inventorySearchDepth) {
    return yield* badRequest("offset", `may not pass ${limits.inventorySearchDepth}`)
  }
  const { sql, values } = yield* chosenLines(store, accountId, filters)
  const total =
    store.one<{ total: number }>(`select count(*) as total from inventory_lines line where ${sql}`, values)?.total ?? 0
  const rows = store.all<ShownRow>(`${selectLines} where ${sql} order by line.id limit :limit offset :offset`, {
    ...values,
    limit,
    offset
  })
  return {
    data: rows.map((row) => lineOf(row, origin)),
    pagination: { offset, limit, total, hasMore: offset + rows.length < total }
  }
})
