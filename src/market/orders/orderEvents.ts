import type { OrderStatus } from "../contract/orders/OrderStatus.ts"
import { findAccount } from "../accounts/accountRows.ts"
import { emit } from "../events/emit.ts"
import { moneyOf } from "../state/cents.ts"
import type { Transaction } from "../state/State.ts"
import { type ItemRow, type OrderRow, readMetadata, type Side } from "./OrderRow.ts"

const sides: ReadonlyArray<Side> = ["seller", "buyer"]
const accountOn = (order: OrderRow, side: Side) => (side === "seller" ? order.seller_id : order.buyer_id)

/** Tells both sides of a new order, each in its own currency. Beyond the spec: section 14. */
export const emitCreated = (tx: Transaction, order: OrderRow, items: ReadonlyArray<ItemRow>): void => {
  for (const side of sides) {
    const isSeller = side === "seller"
    const currency = isSeller ? order.seller_currency : order.buyer_currency
    const other = findAccount(tx, accountOn(order, isSeller ? "buyer" : "seller"))
    emit(tx, accountOn(order, side), {
      type: "order.created",
      eventId: `${order.order_number}.${side}`,
      recipientRole: side,
      data: {
        orderNumber: order.order_number,
        status: "pending_shipment",
        currency,
        totalAmount: moneyOf(isSeller ? order.subtotal_cents + order.shipping_cents : order.total_cents, currency),
        itemCount: items.reduce((sum, { quantity }) => sum + quantity, 0),
        items: items.map((item) => ({
          productId: item.product_id,
          name: item.product_name,
          quantity: item.quantity,
          unitPrice: moneyOf(isSeller ? item.unit_cents : item.buyer_unit_cents, currency),
          ...(isSeller ? { inventoryId: item.inventory_id, customId: item.custom_id } : {})
        })),
        counterparty: {
          username: other?.username ?? "",
          ...(other?.country == null ? {} : { country: other.country })
        },
        createdAt: order.placed_at
      }
    })
  }
}

/** Tells both sides of an order's new status. The metadata are the seller's. Beyond the spec: section 14. */
export const emitStatus = (
  tx: Transaction,
  order: OrderRow,
  { from, reason }: { readonly from: OrderStatus | null; readonly reason: string | null }
): void => {
  for (const side of sides) {
    emit(tx, accountOn(order, side), {
      type: "order.status.changed",
      recipientRole: side,
      data: {
        orderNumber: order.order_number,
        status: order.status,
        previousStatus: from,
        changedAt: tx.at,
        reason,
        metadata: side === "seller" ? readMetadata(order) : null
      }
    })
  }
}
