import { Schema } from "effect"
import { matching, Instant } from "../../../feed/contract/Catalogue.ts"
import { Amount } from "../Money.ts"
import { cursorQuery } from "../../../feed/contract/Paging.ts"
import { Metadata } from "./Metadata.ts"
import { OrderStatus } from "./OrderStatus.ts"

/** Filters of both order lists; the dates are inclusive. A sale list also takes `metadata[key]=value`, ten at most. */
export const orderQuery = {
  ...cursorQuery,
  status: Schema.optionalKey(Schema.Array(OrderStatus)),
  placedFrom: Schema.optionalKey(Instant),
  placedTo: Schema.optionalKey(Instant)
}

/** An untracked shipping service needs no number. Beyond the spec: section 12. */
export const MarkShipped = Schema.Struct({
  trackingNumber: Schema.optionalKey(
    Schema.String.check(matching(/^[A-Za-z0-9_-]{5,50}$/, "5 to 50 letters, digits, - or _"))
  ),
  trackingUrl: Schema.optionalKey(
    Schema.String.check(
      matching(/^https:\/\/\S+$/, "an address that begins with https://"),
      Schema.isMaxCodePoints(2048)
    )
  ),
  metadata: Schema.optionalKey(Metadata)
}).annotate({
  title: "MarkShipped",
  description: "A tracked service needs a `trackingNumber`; an untracked one does not. `metadata` is merged."
})

/** Why the seller cancels. Beyond the spec: section 12. */
export const CancelSale = Schema.Struct({
  reason: Schema.Literals(["item_unavailable", "item_damaged", "pricing_error", "seller_other"]),
  reasonText: Schema.String.check(Schema.isMinCodePoints(10), Schema.isMaxCodePoints(500))
}).annotate({
  title: "CancelSale",
  description: "Why the seller cancels."
})

/** Part of an order's money, in its currency. Beyond the spec: section 12. */
export const RefundRequest = Schema.Struct({ amount: Amount.check(Schema.isGreaterThan(0)) }).annotate({
  title: "RefundRequest",
  description: "Part of what the buyer paid, in the sale's currency, with at most two decimals."
})
