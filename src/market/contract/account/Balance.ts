import { Schema } from "effect"
import { Instant } from "../../../contract/Catalogue.ts"
import { Money } from "../Money.ts"

/** What a seller is owed: `available` can be paid out, `pending` is of open orders. Beyond the spec: section 9. */
export const Balance = Schema.Struct({ available: Money, pending: Money, updatedAt: Instant }).annotate({
  title: "Balance",
  description: "`available` can be paid out; `pending` is of open orders."
})
export type Balance = typeof Balance.Type
