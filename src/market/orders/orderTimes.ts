import type { OrderStatus } from "../contract/orders/OrderStatus.ts"
import type { OrderRow } from "./OrderRow.ts"

const dayMillis = 86_400_000

/**
 * Days until something happens automatically; neither document has these figures. An unshipped order or an unanswered
 * cancellation is cancelled, a delivered order is paid out, an untracked parcel counts as delivered.
 */
export const waitDays = { toShip: 14, toAnswer: 3, toPayOut: 3, untracked: 21 } as const

/** How long money takes on its way back to the buyer. */
export const refundMillis = 60_000

/** When an order in `status` moves on automatically; null: it waits for somebody. */
export const dueAfter = (status: OrderStatus, order: OrderRow, now: number): number | null => {
  switch (status) {
    case "pending_shipment":
      // After a refused cancellation the seller has at least another answer's time.
      return Math.max(Date.parse(order.placed_at) + waitDays.toShip * dayMillis, now + waitDays.toAnswer * dayMillis)
    case "cancellation_requested":
      return now + waitDays.toAnswer * dayMillis
    case "shipped":
      return order.shipping_service === "untracked" ? now + waitDays.untracked * dayMillis : null
    case "delivered":
      return now + waitDays.toPayOut * dayMillis
    default:
      return null
  }
}
