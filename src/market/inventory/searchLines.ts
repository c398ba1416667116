import { Effect } from "effect"
import type { InventorySearch } from "../contract/inventory/InventoryFilters.ts"
import { limits } from "../contract/Limits.ts"
import { pageLimits } from "../../feed/contract/Paging.ts"
import { badRequest } from "../answers/badRequest.ts"
import type { Store } from "../state/State.ts"
import { chosenLines } from "./chosenLines.ts"
import { lineOf, selectLines, type ShownRow } from "./LineRow.ts"

/** One page of a search over the account's lines, by id. Ours never lags. Beyond the spec: section 10. */
export const searchLines = Effect.fnUntraced(function* (
  store: Store,
  { accountId, origin }: { readonly accountId: string; readonly origin: string },
  { limit = pageLimits.offset.default, offset = 0, ...filters }: typeof InventorySearch.Type
) {
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
