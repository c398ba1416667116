import { Result } from "effect"
import { AmountTooHigh, InvalidStatus, RefundInProgress } from "../contract/orders/OrderErrors.ts"
import type { OrderStatus } from "../contract/orders/OrderStatus.ts"
import { convertCents } from "../money/exchange.ts"
import type { Transaction } from "../state/State.ts"
import type { OrderRow } from "./OrderRow.ts"
import { refundMillis } from "./orderTimes.ts"
import { type OrderChange, saveOrder } from "./saveOrder.ts"

/** States in which a seller may give part of the money back. Beyond the spec: section 12. */
const refundable: ReadonlySet<OrderStatus> = new Set([
  "pending_shipment",
  "cancellation_requested",
  "shipped",
  "delivered"
])

export const invalidStatus = (status: OrderStatus): InvalidStatus =>
  new InvalidStatus({ message: `The order is ${status}, where this cannot be done`, data: { status } })

/**
 * Part of the money goes back. All refunds together stay below
 * what the seller sold for. The service's fee and tax stay.
 */
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

/** The seller gives part of the money back. Beyond the spec: section 12. */
export const refundOrder = (
  tx: Transaction,
  order: OrderRow,
  cents: number
): Result.Result<OrderRow, InvalidStatus | RefundInProgress | AmountTooHigh> => {
  if (!refundable.has(order.status)) return Result.fail(invalidStatus(order.status))
  if (order.refund_due_millis !== null) {
    return Result.fail(new RefundInProgress({ message: "A refund of this order is on its way", data: {} }))
  }
  return Result.map(partialRefund(tx, order, cents), (change) => saveOrder(tx, order, change))
}
