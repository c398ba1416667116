import { Schema } from "effect"
import { Instant, CatalogId, Count, matching } from "../../../feed/contract/Catalogue.ts"
import { MarketCurrency, Money } from "../Money.ts"
import { OrderParty, Cancellation, Shipping, ShippingAddress, OrderStatus } from "./orderParts.ts"
import { Condition, Graded, CustomId } from "../inventory/InventoryLine.ts"
import { limits } from "../Limits.ts"

/** A metadata key: a letter, then letters, digits, `_`, `.` and `-`, at most 64. Spec: Metadata rules, 1 and 2. */
const MetadataKey = Schema.String.check(
  matching(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, "a letter, then at most 63 letters, digits, _, . or -")
)

/** Spec: Metadata rules, 3. */
const Value = Schema.String.check(Schema.isMaxCodePoints(limits.metadataValueLength))

/** The seller's key/value pairs, invisible to the buyer. An invalid key is refused. Spec: OrderMetadata. */
export const Metadata = Schema.Record(Schema.String, Value)
  .check(Schema.isPropertyNames(MetadataKey))
  .annotate({ title: "Metadata", description: "The seller's own pairs, at most 50; the buyer never sees them." })
export type Metadata = typeof Metadata.Type

/** Pairs to merge. Null removes a key; `{}` changes nothing. Beyond the spec: section 12. */
export const MetadataChange = Schema.Record(Schema.String, Schema.NullOr(Value))
  .check(Schema.isPropertyNames(MetadataKey))
  .annotate({ title: "MetadataChange", description: "Pairs to merge; null removes a key." })
export type MetadataChange = typeof MetadataChange.Type

/** A purchased item with its values at the time of sale. Spec: OrderLineItem. */
export const OrderItem = Schema.Struct({
  productId: Schema.NullOr(CatalogId),
  productName: Schema.String,
  imageUrl: Schema.NullOr(Schema.String),
  condition: Schema.NullOr(Condition),
  language: Schema.String,
  finish: Schema.String,
  graded: Schema.NullOr(Graded),
  quantity: Count,
  unitPrice: Money,
  lineTotal: Money
}).annotate({
  title: "OrderItem",
  description: "What was bought, as it was when it was sold. `condition` is null when graded or sealed."
})
export type OrderItem = typeof OrderItem.Type

/** An item as the seller sees it, with its original line. Spec: Sale line item. */
export const SaleItem = Schema.Struct({
  ...OrderItem.fields,
  inventoryId: Schema.String,
  customId: Schema.NullOr(CustomId)
}).annotate({ title: "SaleItem", description: "What was sold, with the inventory line it came from." })
export type SaleItem = typeof SaleItem.Type

/** An order's number and state, and when it was placed, changed and ended. Spec: Sale. */
const orderHead = {
  orderNumber: Schema.String,
  status: OrderStatus,
  placedAt: Instant,
  updatedAt: Instant,
  shippedAt: Schema.NullOr(Instant),
  deliveredAt: Schema.NullOr(Instant),
  completedAt: Schema.NullOr(Instant)
}

/** The seller's payout; null until it is known. Spec: SalePayout. */
const Payout = Schema.Struct({
  amount: Schema.NullOr(Money),
  eligibleAt: Schema.NullOr(Instant),
  paidOutAt: Schema.NullOr(Instant)
}).annotate({ title: "Payout", description: "What the seller receives; `amount` is null until it is calculated." })

/** An order as its seller sees it, in the seller's currency. Spec: Sale; `refunded` is beyond the spec: section 12. */
export const Sale = Schema.Struct({
  ...orderHead,
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

/** An order as its buyer sees it, in the currency paid. `total` includes fee, tax and shipping. Spec: Purchase. */
export const Purchase = Schema.Struct({
  ...orderHead,
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

/** A refund; `refundedAt` is null until it arrives. Spec: PurchaseRefund. */
const Refund = Schema.Struct({ amount: Money, refundedAt: Schema.NullOr(Instant) }).annotate({
  title: "Refund",
  description: "Money returned; `refundedAt` is null while it is on its way."
})

/** The buyer's full view of an order. Spec: PurchaseDetail. */
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
