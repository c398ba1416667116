import { Schema } from "effect"
import { Instant } from "../../../feed/contract/Catalogue.ts"
import { MarketCurrency, Money } from "../Money.ts"
import { Metadata } from "./Metadata.ts"
import { SaleItem } from "./OrderItem.ts"
import { OrderParty } from "./OrderParty.ts"
import { OrderStatus } from "./OrderStatus.ts"
import { Cancellation, Shipping, ShippingAddress } from "./Shipping.ts"

/** When an order was placed, changed and ended. Spec: Sale. */
export const orderDates = {
  placedAt: Instant,
  updatedAt: Instant,
  shippedAt: Schema.NullOr(Instant),
  deliveredAt: Schema.NullOr(Instant),
  completedAt: Schema.NullOr(Instant)
}

/** What the seller receives; null until it is known. Spec: SalePayout. */
export const Payout = Schema.Struct({
  amount: Schema.NullOr(Money),
  eligibleAt: Schema.NullOr(Instant),
  paidOutAt: Schema.NullOr(Instant)
}).annotate({
  title: "Payout",
  description: "What the seller receives; `amount` is null until it is calculated."
})

/** An order as its seller sees it, in the seller's currency. Spec: Sale; `refunded` is beyond the spec: section 12. */
export const Sale = Schema.Struct({
  orderNumber: Schema.String,
  status: OrderStatus,
  ...orderDates,
  currency: MarketCurrency,
  items: Schema.Array(SaleItem),
  subtotal: Money,
  shippingAmount: Money,
  sellerFee: Schema.Struct({ percentage: Schema.Finite, amount: Money }).annotate({
    title: "SellerFee",
    description: "`percentage`: 5 means 5 %."
  }),
  payout: Payout,
  refunded: Money,
  buyer: OrderParty,
  shippingAddress: ShippingAddress,
  metadata: Metadata
}).annotate({
  title: "Sale",
  description: "An order as its seller sees it. Every amount is in the seller's selling currency."
})
export type Sale = typeof Sale.Type

/** A single sale, with its parcel. Beyond the spec: section 12. */
export const SaleDetail = Schema.Struct({
  ...Sale.fields,
  shipping: Schema.NullOr(Shipping),
  cancellation: Schema.NullOr(Cancellation)
}).annotate({
  title: "SaleDetail",
  description:
    "A sale with its parcel. `shipping` is null before it is shipped, `cancellation` unless it was cancelled."
})
export type SaleDetail = typeof SaleDetail.Type
