import { findLine, type LineRow } from "../inventory/LineRow.ts"
import { addUnits, setQuantity } from "../inventory/putLine.ts"
import { makeQuantityLog } from "../inventory/QuantityLog.ts"
import type { Transaction } from "../state/State.ts"
import type { ItemRow, OrderRow } from "./OrderRow.ts"

/**
 * Takes sold units out of their seller's lines, which have enough. Spec: inventory.quantity.changed, reason `order`.
 */
export const takeStock = (
  tx: Transaction,
  sellerId: string,
  sold: ReadonlyArray<{ readonly line: LineRow; readonly quantity: number }>
): void => {
  const log = makeQuantityLog()
  for (const { line, quantity } of sold) setQuantity({ tx, log }, line, line.quantity - quantity)
  log.emit(tx, sellerId, "order")
}

const identity = ["product_id", "finish", "condition", "language", "grading_service", "grade", "certification"] as const

/** The line that was sold from, if it still is what was sold. */
const originOf = (tx: Transaction, sellerId: string, item: ItemRow): LineRow | undefined => {
  const line = findLine(tx, sellerId, item.inventory_id)
  return line !== undefined && identity.every((key) => line[key] === item[key]) ? line : undefined
}

/**
 * Puts the units of a cancelled order back where they came from; where that line is gone, they
 * are stock that is not for sale. Spec: inventory.quantity.changed, reason `order_cancelled`.
 */
export const returnStock = (tx: Transaction, { seller_id }: OrderRow, items: ReadonlyArray<ItemRow>): void => {
  const log = makeQuantityLog()
  for (const item of items) {
    const line = originOf(tx, seller_id, item)
    if (line !== undefined) {
      setQuantity({ tx, log }, line, line.quantity + item.quantity)
      continue
    }
    const unlisted = { price_cents: null, custom_id: null, comment: null, notes: null, location_id: null }
    addUnits({ tx, log, accountId: seller_id }, { ...item, ...unlisted }, { quantity: item.quantity })
  }
  log.emit(tx, seller_id, "order_cancelled")
}
