import { Result } from "effect"
import type { InvalidTransition } from "../contract/account/AccountErrors.ts"
import type { Transaction } from "../state/State.ts"
import { moveOrder } from "./moveOrder.ts"
import { itemsOf, type OrderRow } from "./OrderRow.ts"
import { refundMillis } from "./orderTimes.ts"
import type { OrderChange } from "./saveOrder.ts"
import { returnStock } from "./stock.ts"

/** All the money of an order goes back to its buyer. */
export const fullRefund = (tx: Transaction, order: OrderRow): OrderChange => ({
  refunded_cents: order.subtotal_cents + order.shipping_cents,
  buyer_refunded_cents: order.total_cents,
  refund_due_millis: tx.atMillis + refundMillis,
  refunded_at: null
})

const by = { cancelled_buyer: "buyer", cancelled_seller: "seller", cancelled_auto: "system" } as const

interface Cancellation {
  readonly to: keyof typeof by
  readonly reason: string
  readonly reasonText?: string | null
}

/** Cancels an order: the money goes back to the buyer and the stock to its lines. */
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
  }).pipe(Result.map((cancelled) => (returnStock(tx, cancelled, itemsOf(tx, order.order_number)), cancelled)))
