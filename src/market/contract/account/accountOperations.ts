import { operations } from "../operationRows.ts"
import { keyOperations } from "../../../feed/contract/NightlyApi.ts"
import { common, commonOfWrites, problem } from "../../../feed/contract/Errors.ts"
import { Schema } from "effect"
import { Instant } from "../../../feed/contract/Catalogue.ts"
import { Money } from "../Money.ts"

/** The selling status of an account. A vacation changes only `active` and `paused`. Beyond the spec: section 9. */
export const SellerStatus = Schema.Literals(["active", "paused", "suspended", "banned"]).annotate({
  title: "SellerStatus",
  description: "Only `active` and `paused` change with the vacation."
})
export type SellerStatus = typeof SellerStatus.Type

/**
 * During a vacation, listings are hidden and no orders are placed; the inventory is retained.
 * Beyond the spec: section 9.
 */
export const Vacation = Schema.Struct({
  enabled: Schema.Boolean,
  status: SellerStatus,
  since: Schema.NullOr(Instant)
}).annotate({
  title: "Vacation",
  description: "While it is on, listings are hidden and no orders come; the inventory is kept."
})

const VacationRequest = Schema.Struct({
  enabled: Schema.Boolean,
  reason: Schema.optionalKey(Schema.String.check(Schema.isMaxCodePoints(500)))
}).annotate({ title: "VacationRequest", description: "Switches the vacation on or off." })

/** The account has no wallet because it has never sold. Beyond the spec: section 9. */
export class WalletNotFound extends problem<WalletNotFound>(
  "WalletNotFound",
  "The account has no wallet, because it never sold."
)(404, "WALLET_NOT_FOUND", {}) {}

/** Only a seller can do this. Beyond the spec: section 2, 409. */
export class NotASeller extends problem<NotASeller>("NotASeller", "Only a seller can do this.")(
  409,
  "NOT_A_SELLER",
  {}
) {}

/** The requested status cannot follow the current one. Beyond the spec: section 2, 409. */
export class InvalidTransition extends problem<InvalidTransition>(
  "InvalidTransition",
  "The state `data.from` cannot be left for `data.to`."
)(409, "INVALID_TRANSITION", { from: Schema.String, to: Schema.String }) {}

/** The account cannot sell, or not currently. Beyond the spec: section 2, 403. */
export class SellerAccountNotActive extends problem<SellerAccountNotActive>(
  "SellerAccountNotActive",
  "The account cannot sell, or not now."
)(403, "SELLER_ACCOUNT_NOT_ACTIVE", {}) {}

/** A seller's balance: `available` can be paid out, `pending` is from open orders. Beyond the spec: section 9. */
const Balance = Schema.Struct({ available: Money, pending: Money, updatedAt: Instant }).annotate({
  title: "Balance",
  description: "`available` can be paid out; `pending` is of open orders."
})

const readFinancial = operations(common, "financial:read")
const read = operations(common, "account:read")
const write = operations(commonOfWrites, "account:write")

/** Operations on the account behind a key. Beyond the spec: section 9. */
export const accountOperations = keyOperations.add(
  readFinancial("GET", "balance", "/v1/account/balance", "The seller's balance", {
    success: Balance,
    error: [WalletNotFound]
  }),
  read("GET", "vacation", "/v1/account/vacation", "Whether the seller is on vacation", {
    success: Vacation,
    error: [NotASeller]
  }),
  write("POST", "setVacation", "/v1/account/vacation", "Start or end the seller's vacation", {
    payload: VacationRequest,
    success: Vacation,
    error: [NotASeller, InvalidTransition]
  })
)
