import { Schema } from "effect"
import { Instant } from "../../../feed/contract/Catalogue.ts"
import { MarketCurrency, Money } from "../Money.ts"
import { OrderItem } from "./OrderItem.ts"
import { OrderParty } from "./OrderParty.ts"
import { OrderStatus } from "./OrderStatus.ts"
import { orderDates } from "./Sale.ts"
import { Cancellation, Shipping, ShippingAddress } from "./Shipping.ts"

/** An order as its buyer sees it, in the currency paid. `total` includes everything. Spec: Purchase. */
export const Purchase = Schema.Struct({
  orderNumber: Schema.String,
  status: OrderStatus,
  ...orderDates,
  currency: MarketCurrency,
  items: Schema.Array(OrderItem),
  subtotal: Money,
  shippingAmount: Money,
  buyerFee: Money,
  tax: Money,
  total: Money,
  seller: OrderParty
}).annotate({
  title: "Purchase",
  description:
    "An order as its buyer sees it, in the currency paid. `total` includes shipping, tax and the buyer's fee."
})
export type Purchase = typeof Purchase.Type

/** Money refunded; `refundedAt` is null while it is on its way. Spec: PurchaseRefund. */
export const Refund = Schema.Struct({ amount: Money, refundedAt: Schema.NullOr(Instant) }).annotate({
  title: "Refund",
  description: "Money returned; `refundedAt` is null while it is on its way."
})

/** The full view of the buyer. Spec: PurchaseDetail. */
export const PurchaseDetail = Schema.Struct({
  ...Purchase.fields,
  shippingAddress: ShippingAddress,
  shipping: Schema.NullOr(Shipping),
  refund: Schema.NullOr(Refund),
  cancellation: Schema.NullOr(Cancellation)
}).annotate({
  title: "PurchaseDetail",
  description:
    "A purchase with its address and parcel. `shipping`, `refund` and `cancellation` are null until there is one."
})
export type PurchaseDetail = typeof PurchaseDetail.Type
