import { Schema } from "effect"
import { Count } from "../../../contract/Catalogue.ts"

/** A seller's kind: a registered company or a private person. Spec: OrderParty. */
export const SellerType = Schema.Literals(["pro", "individual"])
export type SellerType = typeof SellerType.Type

/** ISO 3166-1 alpha-2. */
export const Country = Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/, { expected: "a two-letter country" }))

/** The reviews of a party. `average` is null without any. Spec: OrderPartyRating; beyond the spec: section 12. */
export const Rating = Schema.Struct({ average: Schema.NullOr(Schema.Finite), count: Count })

/** How a seller handled recent orders; `completionRate` is 0 to 1. Spec: OrderPartyReliability. */
export const Reliability = Schema.Struct({
  orderCount: Count,
  completedCount: Count,
  completionRate: Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  avgShipTimeHours: Schema.NullOr(Schema.Finite)
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
})
export type OrderParty = typeof OrderParty.Type
