import { Schema } from "effect"
import { matching, Count } from "../../../feed/contract/Catalogue.ts"

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

/** The reviews of a party. `average` is null without any. Spec: OrderPartyRating; beyond the spec: section 12. */
export const Rating = Schema.Struct({ average: Schema.NullOr(Schema.Finite), count: Count }).annotate({
  title: "Rating",
  description: "`average` of 1 to 5, null without reviews; `count` of reviews."
})

/** How a seller handled recent orders; `completionRate` is 0 to 1. Spec: OrderPartyReliability. */
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
