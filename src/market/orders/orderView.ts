import type { MarketCurrency } from "../contract/Money.ts"
import type { OrderItem } from "../contract/orders/OrderItem.ts"
import type { Cancellation, Shipping, ShippingAddress } from "../contract/orders/Shipping.ts"
import { gradedOf } from "../inventory/LineRow.ts"
import { moneyOf } from "../state/cents.ts"
import type { Store } from "../state/Store.ts"
import type { ItemRow, OrderRow } from "./OrderRow.ts"

/** The products of some orders that are still in the catalogue, by id. */
export interface KnownProducts {
  readonly has: (productId: string) => boolean
}

/** What both sides see alike. */
export const datesOf = (order: OrderRow) => ({
  orderNumber: order.order_number,
  status: order.status,
  placedAt: order.placed_at,
  updatedAt: order.updated_at,
  shippedAt: order.shipped_at,
  deliveredAt: order.delivered_at,
  completedAt: order.completed_at
})

/** What was sold, at a side's unit price. Spec: OrderLineItem. */
export const itemOf = (
  item: ItemRow,
  { currency, unitCents }: { readonly unitCents: number; readonly currency: MarketCurrency },
  known: KnownProducts
): OrderItem => ({
  productId: known.has(String(item.product_id)) ? item.product_id : null,
  productName: item.product_name,
  imageUrl: item.image_url,
  condition: item.condition,
  language: item.language,
  finish: item.finish,
  graded: gradedOf(item),
  quantity: item.quantity,
  unitPrice: moneyOf(unitCents, currency),
  lineTotal: moneyOf(unitCents * item.quantity, currency)
})

export const addressOf = ({ address }: OrderRow): ShippingAddress => JSON.parse(address) as ShippingAddress

interface ScanRow {
  readonly status: string
  readonly occurred_at: string
  readonly location: string | null
  readonly description: string | null
}

/** The parcel, once it is sent. Spec: OrderShipping. */
export const shippingOf = (store: Store, order: OrderRow): Shipping | null => {
  if (order.shipped_at === null) return null
  const scans = store.all<ScanRow>("select * from tracking_scans where order_number = :number order by place", {
    number: order.order_number
  })
  return {
    trackingNumber: order.tracking_number,
    carrier: order.carrier,
    trackingUrl: order.tracking_url,
    status: scans.at(-1)?.status ?? null,
    shippedAt: scans[0]?.occurred_at ?? null,
    deliveredAt: order.delivered_at,
    history:
      scans.length === 0
        ? null
        : scans.map(({ status, occurred_at, location, description }) => ({
            status,
            occurredAt: occurred_at,
            location,
            description
          }))
  }
}

/** Who ended the order and why. Spec: OrderCancellation. */
export const cancellationOf = (order: OrderRow): Cancellation | null =>
  order.cancelled_at === null || order.cancelled_by === null
    ? null
    : {
        cancelledAt: order.cancelled_at,
        cancelledBy: order.cancelled_by,
        reason: order.cancel_reason ?? "",
        reasonText: order.cancel_reason_text
      }
