import { Schema } from "effect"
import { Count, Instant } from "../../../feed/contract/Catalogue.ts"
import { Condition, Graded } from "../inventory/Graded.ts"
import { Money } from "../Money.ts"

/** A sale of the last 30 days; `priceEur` is by the rate of that day. Beyond the spec: section 7, recent sales. */
export const RecentSale = Schema.Struct({
  soldAt: Instant,
  region: Schema.Literals(["eu", "na"]),
  price: Money,
  priceEur: Money,
  quantity: Count,
  finish: Schema.String,
  condition: Schema.NullOr(Condition),
  language: Schema.String,
  graded: Schema.NullOr(Schema.Struct({ ...Graded.fields, gradingService: Schema.NullOr(Schema.String) }))
}).annotate({
  title: "RecentSale",
  description: "A sale of the last 30 days; `priceEur` is by the rate of that day."
})
export type RecentSale = typeof RecentSale.Type
