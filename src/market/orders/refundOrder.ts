import { Result } from "effect"
import { factOfRequest } from "../limits/factOfRequest.ts"
import type { InvalidTransition } from "../contract/account/accountOperations.ts"
import { AmountTooHigh, type InvalidStatus, RefundInProgress } from "../contract/orders/orderOperations.ts"
import type { OrderStatus } from "../contract/orders/orderParts.ts"
import { findLine, type LineRow } from "../inventory/LineRow.ts"
import { makeQuantityLog, addUnits, setQuantity } from "../inventory/putLine.ts"
import { convertCents, type Transaction } from "../state/State.ts"
import {
  invalidStatus,
  moveOrder,
  type OrderChange,
  saveOrder,
  type ItemRow,
  listItems,
  type OrderRow
} from "./OrderRow.ts"

/** Duration of a refund to the buyer. */
export const refundMillis = 60_000

/** True if the payment service behind the marketplace fails during this request. Beyond the spec: section 2, 502. */
export const PaymentsFail = factOfRequest(false)

/** Refunds an amount, but not fee and tax. All refunds together stay below the seller's price. */
export const partialRefund = (
  tx: Transaction,
  order: OrderRow,
  cents: number
): Result.Result<OrderChange, AmountTooHigh> => {
  const most = order.subtotal_cents + order.shipping_cents - order.refunded_cents - 1
  if (cents > most) {
    const maxAllowed = Math.max(0, most) / 100
    return Result.fail(new AmountTooHigh({ message: `At most ${maxAllowed} can be refunded`, data: { maxAllowed } }))
  }
  const refunded = order.refunded_cents + cents
  return Result.succeed({
    refunded_cents: refunded,
    buyer_refunded_cents: Math.min(
      convertCents(refunded, order.seller_currency, order.buyer_currency),
      order.buyer_subtotal_cents + order.buyer_shipping_cents
    ),
    refund_due_millis: tx.atMillis + refundMillis,
    refunded_at: null
  })
}

/** Statuses in which a seller may refund an amount. Beyond the spec: section 12. */
const refundable: ReadonlySet<OrderStatus> = new Set([
  "pending_shipment",
  "cancellation_requested",
  "shipped",
  "delivered"
])

/** Refunds an amount on behalf of the seller. Beyond the spec: section 12. */
export const refundOrder = (
  tx: Transaction,
  order: OrderRow,
  cents: number
): Result.Result<OrderRow, InvalidStatus | RefundInProgress | AmountTooHigh> => {
  if (!refundable.has(order.status)) return Result.fail(invalidStatus(order.status))
  if (order.refund_due_millis !== null) {
    return Result.fail(new RefundInProgress({ message: "A refund of this order is on its way", data: {} }))
  }
  if (order.payout_eligible_at !== null && order.payout_eligible_at <= tx.at) {
    return Result.fail(new RefundInProgress({ message: "The payout of this order is on its way", data: {} }))
  }
  return Result.map(partialRefund(tx, order, cents), (change) => saveOrder(tx, order, change))
}

/** Refunds the complete order to its buyer. */
export const fullRefund = (tx: Transaction, order: OrderRow): OrderChange => ({
  refunded_cents: order.subtotal_cents + order.shipping_cents,
  buyer_refunded_cents: order.total_cents,
  refund_due_millis: tx.atMillis + refundMillis,
  refunded_at: null
})

const identity = ["product_id", "finish", "condition", "language", "grading_service", "grade", "certification"] as const

/** Returns the inventory line that an item was sold from; undefined if it is deleted or now describes other goods. */
const findOrigin = (tx: Transaction, sellerId: string, item: ItemRow): LineRow | undefined => {
  const line = findLine(tx, sellerId, item.inventory_id)
  return line !== undefined && identity.every((key) => line[key] === item[key]) ? line : undefined
}

/**
 * Returns the units of a cancelled order to their lines. Without the original line, they become stock that is not for
 * sale. Spec: inventory.quantity.changed, reason `order_cancelled`.
 */
const returnStock = (tx: Transaction, { seller_id }: OrderRow, items: ReadonlyArray<ItemRow>): void => {
  const log = makeQuantityLog()
  for (const item of items) {
    const line = findOrigin(tx, seller_id, item)
    if (line !== undefined) {
      setQuantity({ tx, log }, line, line.quantity + item.quantity)
      continue
    }
    const unlisted = { price_cents: null, custom_id: null, comment: null, notes: null, location_id: null }
    addUnits({ tx, log, accountId: seller_id }, { ...item, ...unlisted }, { quantity: item.quantity })
  }
  log.emit(tx, seller_id, "order_cancelled")
}

const by = { cancelled_buyer: "buyer", cancelled_seller: "seller", cancelled_auto: "system" } as const

interface Cancellation {
  readonly to: keyof typeof by
  readonly reason: string
  readonly reasonText?: string | null
}

/** Cancels an order: refunds the buyer and returns the stock to its lines. */
export const cancelOrder = (
  tx: Transaction,
  order: OrderRow,
  { reason, reasonText = null, to }: Cancellation
): Result.Result<OrderRow, InvalidTransition> =>
  moveOrder(tx, order, {
    to,
    reason,
    change: {
      ...fullRefund(tx, order),
      cancelled_at: tx.at,
      cancelled_by: by[to],
      cancel_reason: reason,
      cancel_reason_text: reasonText
    }
  }).pipe(Result.map((cancelled) => (returnStock(tx, cancelled, listItems(tx, order.order_number)), cancelled)))
