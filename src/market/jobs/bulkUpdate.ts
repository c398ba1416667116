import { Result, Schema } from "effect"
import { UpdateErrorCode, type UpdateItem, type UpdateResults } from "../contract/jobs/BulkUpdate.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import type { SoldProduct } from "../catalogue/soldProducts.ts"
import { changeLine } from "../inventory/changeLine.ts"
import { findLine, type LineRow, makeQuantityLog } from "../inventory/LineRow.ts"
import type { Store, Transaction } from "../state/State.ts"

type UpdateResult = (typeof UpdateResults.Type)["results"][number]

const isCode = Schema.is(UpdateErrorCode)

/** The line of an item: by its id, else by its customId. */
export const lineOfItem = (store: Store, accountId: string, item: UpdateItem): LineRow | undefined => {
  if (item.inventoryId !== undefined) return findLine(store, accountId, item.inventoryId)
  if (item.customId == null) return undefined
  return store.one<LineRow>("select * from inventory_lines where account_id = :accountId and custom_id = :customId", {
    accountId,
    customId: item.customId
  })
}

interface AskedUpdates {
  readonly items: ReadonlyArray<UpdateItem>
  readonly products: ReadonlyMap<string, SoldProduct>
}

/**
 * Makes the changes that can be made, together. An item that cannot says why; a
 * customId that is taken refuses the whole call. Beyond the spec: section 11.
 */
export const bulkUpdate = (
  tx: Transaction,
  accountId: string,
  { items, products }: AskedUpdates
): Result.Result<typeof UpdateResults.Type, Conflict> =>
  Result.gen(function* () {
    const log = makeQuantityLog()
    const seen = new Set<string>()
    const results: Array<UpdateResult> = []
    for (const [index, item] of items.entries()) {
      const { customId, inventoryId, ...rest } = item
      const refuse = (code: typeof UpdateErrorCode.Type, data: Readonly<Record<string, unknown>> = {}) =>
        void results.push({ index, status: "error", code, data })
      const line = lineOfItem(tx, accountId, item)
      if (inventoryId === undefined && customId == null) refuse("INVALID_ITEM")
      else if (line === undefined) refuse("NOT_FOUND", inventoryId === undefined ? { customId } : { inventoryId })
      else if (seen.has(line.id)) refuse("INVALID_ITEM", { inventoryId: line.id })
      else {
        seen.add(line.id)
        const change = inventoryId === undefined || customId === undefined ? rest : { ...rest, customId }
        const changed = changeLine({ tx, log, accountId }, line.id, {
          change,
          product: products.get(String(line.product_id))
        })
        if (Result.isSuccess(changed)) results.push({ index, status: "ok", inventoryId: changed.success.line })
        else if (changed.failure instanceof Conflict) return yield* Result.fail(changed.failure)
        else {
          const { code, data } = changed.failure
          refuse(isCode(code) ? code : "INVALID_ITEM", { ...data })
        }
      }
    }
    log.emit(tx, accountId, "edit")
    return { results }
  })
