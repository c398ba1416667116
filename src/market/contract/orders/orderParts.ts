import { Schema } from "effect"
import { Count, Instant, matching } from "../../../feed/contract/Catalogue.ts"

const resolved = [
  "resolved_full_refund",
  "resolved_partial_refund",
  "resolved_no_refund",
  "resolved_return",
  "resolved_goodwill_refund"
] as const

/** The 15 states of an order. Spec: States and transitions; beyond the spec: section 12. */
export const OrderStatus = Schema.Literals([
  "pending_shipment",
  "cancellation_requested",
  "shipped",
  "delivered",
  "dispute_open",
  "dispute_escalated",
  "completed",
  "cancelled_buyer",
  "cancelled_seller",
  "cancelled_auto",
  ...resolved
]).annotate({ title: "OrderStatus", description: "`cancelled_...`, `resolved_...` and `completed` are final." })
export type OrderStatus = typeof OrderStatus.Type

/** A seller's kind: a registered company or a private person. Spec: OrderParty. */
export const SellerType = Schema.Literals(["pro", "individual"]).annotate({
  title: "SellerType",
  description: "`pro`: a registered company; `individual`: a private person."
})
export type SellerType = typeof SellerType.Type

/** ISO 3166-1 alpha-2. */
export const Country = Schema.String.check(matching(/^[A-Z]{2}$/, "a two-letter country")).annotate({
  title: "Country",
  description: "ISO 3166-1 alpha-2."
})

/** A party's reviews; `average` is null if there are none. Spec: OrderPartyRating; beyond the spec: section 12. */
export const Rating = Schema.Struct({ average: Schema.NullOr(Schema.Finite), count: Count }).annotate({
  title: "Rating",
  description: "`average` of 1 to 5, null without reviews; `count` of reviews."
})

/** A seller's record on recent orders; `completionRate` is 0 to 1. Spec: OrderPartyReliability. */
const Reliability = Schema.Struct({
  orderCount: Count,
  completedCount: Count,
  completionRate: Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  avgShipTimeHours: Schema.NullOr(Schema.Finite)
}).annotate({
  title: "Reliability",
  description:
    "How a seller handled recent orders. `completionRate` is a fraction from 0 to 1; `avgShipTimeHours` is in hours."
})

/** The other side of an order. `type` is null for an account that does not sell. Spec: OrderParty. */
export const OrderParty = Schema.Struct({
  id: Schema.String,
  username: Schema.String,
  avatarUrl: Schema.NullOr(Schema.String),
  country: Schema.NullOr(Country),
  type: Schema.NullOr(SellerType),
  rating: Rating,
  reliability: Schema.NullOr(Reliability)
}).annotate({
  title: "OrderParty",
  description: "The other side of an order. `reliability` is null for a buyer, and with too few recent orders."
})
export type OrderParty = typeof OrderParty.Type

/** The delivery address. Spec: OrderShippingAddress. */
export const ShippingAddress = Schema.Struct({
  recipientName: Schema.String,
  line1: Schema.String,
  line2: Schema.NullOr(Schema.String),
  city: Schema.String,
  state: Schema.NullOr(Schema.String),
  postalCode: Schema.String,
  countryCode: Country,
  phone: Schema.NullOr(Schema.String)
}).annotate({ title: "ShippingAddress", description: "Where an order goes." })
export type ShippingAddress = typeof ShippingAddress.Type

/** A carrier's scan. Beyond the spec: section 12, tracking scan entry. */
const TrackingScan = Schema.Struct({
  status: Schema.String,
  occurredAt: Instant,
  location: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String)
}).annotate({ title: "TrackingScan", description: "One scan of a carrier." })

/**
 * The parcel. `history` is oldest first; `shippedAt` is the first
 * scan. Spec: OrderShipping; beyond the spec: section 15, row 11.
 */
export const Shipping = Schema.Struct({
  trackingNumber: Schema.NullOr(Schema.String),
  carrier: Schema.NullOr(Schema.String),
  trackingUrl: Schema.NullOr(Schema.String),
  status: Schema.NullOr(Schema.String),
  shippedAt: Schema.NullOr(Instant),
  deliveredAt: Schema.NullOr(Instant),
  history: Schema.NullOr(Schema.Array(TrackingScan))
}).annotate({
  title: "Shipping",
  description: "The parcel. `status` is the latest scan, null before the first; `history` is oldest first."
})
export type Shipping = typeof Shipping.Type

/** Who cancelled an order and why; `system` is the service. Spec: OrderCancellation. */
export const Cancellation = Schema.Struct({
  cancelledAt: Instant,
  cancelledBy: Schema.Literals(["buyer", "seller", "system"]),
  reason: Schema.String,
  reasonText: Schema.NullOr(Schema.String)
}).annotate({ title: "Cancellation", description: "Who cancelled an order and why; `system` is the service itself." })
export type Cancellation = typeof Cancellation.Type
