import { Result } from "effect"
import type { NotFound } from "../../feed/contract/Errors.ts"
import { missing } from "../answers/refusals.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import { limits } from "../contract/Limits.ts"
import type { Metadata, MetadataChange } from "../contract/orders/Order.ts"
import { MetadataLimitExceeded } from "../contract/orders/orderOperations.ts"
import type { OrderStatus } from "../contract/orders/orderParts.ts"
import type { UnitRow } from "../inventory/LineRow.ts"
import type { Transaction, Store } from "../state/State.ts"

/** How a parcel is shipped: tracked by a carrier, untracked, or by the service itself. */
export type ShippingService = "tracked" | "untracked" | "managed"

/** A row of `orders`. */
export interface OrderRow {
  readonly number: number
  readonly order_number: string
  readonly buyer_id: string
  readonly seller_id: string
  readonly status: OrderStatus
  readonly placed_at: string
  readonly updated_at: string
  readonly shipped_at: string | null
  readonly delivered_at: string | null
  readonly completed_at: string | null
  readonly seller_currency: MarketCurrency
  readonly subtotal_cents: number
  readonly shipping_cents: number
  readonly insurance_cents: number
  readonly refunded_cents: number
  readonly buyer_currency: MarketCurrency
  readonly buyer_subtotal_cents: number
  readonly buyer_shipping_cents: number
  readonly buyer_fee_cents: number
  readonly tax_cents: number
  readonly total_cents: number
  readonly buyer_refunded_cents: number
  readonly refund_due_millis: number | null
  readonly refunded_at: string | null
  readonly payout_eligible_at: string | null
  readonly paid_out_at: string | null
  readonly address: string
  readonly shipping_service: ShippingService
  readonly tracking_number: string | null
  readonly tracking_url: string | null
  readonly carrier: string | null
  readonly metadata: string
  readonly cancelled_at: string | null
  readonly cancelled_by: "buyer" | "seller" | "system" | null
  readonly cancel_reason: string | null
  readonly cancel_reason_text: string | null
  readonly due_at_millis: number | null
}

/** A row of `order_items`. */
export interface ItemRow extends UnitRow {
  readonly order_number: string
  readonly product_id: number
  readonly game: string
  readonly product_name: string
  readonly image_url: string | null
  readonly quantity: number
  readonly unit_cents: number
  readonly buyer_unit_cents: number
  readonly inventory_id: string
  readonly custom_id: string | null
}

export const listItems = (store: Store, orderNumber: string): ReadonlyArray<ItemRow> =>
  store.all<ItemRow>("select * from order_items where order_number = :orderNumber order by place", { orderNumber })

const noSuchOrder = (orderNumber: string) => missing(`No order has the number ${orderNumber}`, { orderNumber })

export const findOrder = (store: Store, orderNumber: string): Result.Result<OrderRow, NotFound> => {
  const order = store.one<OrderRow>("select * from orders where order_number = :orderNumber", { orderNumber })
  return order === undefined ? Result.fail(noSuchOrder(orderNumber)) : Result.succeed(order)
}

export type Side = "seller" | "buyer"

export const sides: ReadonlyArray<Side> = ["seller", "buyer"]
export const accountOn = (order: OrderRow, side: Side) => (side === "seller" ? order.seller_id : order.buyer_id)

/** Finds an order of this account on this side. Orders of other accounts are not found. Beyond the spec: section 12. */
export const findOwnOrder = (
  store: Store,
  { accountId, side }: { readonly side: Side; readonly accountId: string },
  orderNumber: string
): Result.Result<OrderRow, NotFound> =>
  Result.flatMap(findOrder(store, orderNumber), (order) =>
    accountOn(order, side) === accountId ? Result.succeed(order) : Result.fail(noSuchOrder(orderNumber))
  )

/** Returns the seller's metadata of an order. */
export const readMetadata = ({ metadata }: OrderRow): Metadata => JSON.parse(metadata) as Metadata

/** Merges metadata; null removes a key. Fails above 50 keys. Spec: Metadata rules. */
export const mergeMetadata = (
  order: OrderRow,
  change: MetadataChange
): Result.Result<Metadata, MetadataLimitExceeded> => {
  const merged = Object.entries({ ...readMetadata(order), ...change }).flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const]
  )
  if (merged.length <= limits.metadataKeys) return Result.succeed(Object.fromEntries(merged))
  const message = `${merged.length} keys are more than ${limits.metadataKeys}; nothing was stored`
  return Result.fail(new MetadataLimitExceeded({ message, data: {} }))
}

/** Stores a seller's metadata. `updatedAt` is unchanged, because the buyer must not notice. */
export const saveMetadata = (tx: Transaction, order: OrderRow, metadata: Metadata): OrderRow => {
  const after = { ...order, metadata: JSON.stringify(metadata) }
  tx.run("update orders set metadata = :metadata where number = :number", {
    metadata: after.metadata,
    number: order.number
  })
  return after
}
