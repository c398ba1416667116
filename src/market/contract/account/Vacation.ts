import { Schema } from "effect"
import { Instant } from "../../../contract/Catalogue.ts"

/** What a seller's account may do. Only `active` and `paused` change with the vacation. Beyond the spec: section 9. */
export const SellerStatus = Schema.Literals(["active", "paused", "suspended", "banned"])
export type SellerStatus = typeof SellerStatus.Type

/** While it is on, listings are hidden and no orders come; the inventory is kept. Beyond the spec: section 9. */
export const Vacation = Schema.Struct({
  enabled: Schema.Boolean,
  status: SellerStatus,
  since: Schema.NullOr(Instant)
})

/** Switches the vacation on or off. */
export const VacationRequest = Schema.Struct({
  enabled: Schema.Boolean,
  reason: Schema.optionalKey(Schema.String.check(Schema.isMaxCodePoints(500)))
})
