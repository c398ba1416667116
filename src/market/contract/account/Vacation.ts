import { Schema } from "effect"
import { Instant } from "../../../feed/contract/Catalogue.ts"

/** What a seller's account may do. Only `active` and `paused` change with the vacation. Beyond the spec: section 9. */
export const SellerStatus = Schema.Literals(["active", "paused", "suspended", "banned"]).annotate({
  title: "SellerStatus",
  description: "Only `active` and `paused` change with the vacation."
})
export type SellerStatus = typeof SellerStatus.Type

/** While it is on, listings are hidden and no orders come; the inventory is kept. Beyond the spec: section 9. */
export const Vacation = Schema.Struct({
  enabled: Schema.Boolean,
  status: SellerStatus,
  since: Schema.NullOr(Instant)
}).annotate({
  title: "Vacation",
  description: "While it is on, listings are hidden and no orders come; the inventory is kept."
})

/** Switches the vacation on or off. */
export const VacationRequest = Schema.Struct({
  enabled: Schema.Boolean,
  reason: Schema.optionalKey(Schema.String.check(Schema.isMaxCodePoints(500)))
}).annotate({
  title: "VacationRequest",
  description: "Switches the vacation on or off."
})
