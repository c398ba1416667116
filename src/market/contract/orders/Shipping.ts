import { Schema } from "effect"
import { Instant } from "../../../feed/contract/Catalogue.ts"
import { Country } from "./OrderParty.ts"

/** Where an order goes. Spec: OrderShippingAddress. */
export const ShippingAddress = Schema.Struct({
  recipientName: Schema.String,
  line1: Schema.String,
  line2: Schema.NullOr(Schema.String),
  city: Schema.String,
  state: Schema.NullOr(Schema.String),
  postalCode: Schema.String,
  countryCode: Country,
  phone: Schema.NullOr(Schema.String)
}).annotate({
  title: "ShippingAddress",
  description: "Where an order goes."
})
export type ShippingAddress = typeof ShippingAddress.Type

/** One scan of a carrier. Beyond the spec: section 12, tracking scan entry. */
const TrackingScan = Schema.Struct({
  status: Schema.String,
  occurredAt: Instant,
  location: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String)
}).annotate({
  title: "TrackingScan",
  description: "One scan of a carrier."
})

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

/** Who cancelled an order and why; `system` is the service itself. Spec: OrderCancellation. */
export const Cancellation = Schema.Struct({
  cancelledAt: Instant,
  cancelledBy: Schema.Literals(["buyer", "seller", "system"]),
  reason: Schema.String,
  reasonText: Schema.NullOr(Schema.String)
}).annotate({
  title: "Cancellation",
  description: "Who cancelled an order and why; `system` is the service itself."
})
export type Cancellation = typeof Cancellation.Type
