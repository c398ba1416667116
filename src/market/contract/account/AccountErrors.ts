import { Schema } from "effect"
import { problem } from "../../../feed/contract/Errors.ts"

/** The account has no wallet, because it never sold. Beyond the spec: section 9. */
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

/** A state cannot be left for another one. Beyond the spec: section 2, 409. */
export class InvalidTransition extends problem<InvalidTransition>(
  "InvalidTransition",
  "The state `data.from` cannot be left for `data.to`."
)(409, "INVALID_TRANSITION", {
  from: Schema.String,
  to: Schema.String
}) {}

/** The account cannot sell, or not now. Beyond the spec: section 2, 403. */
export class SellerAccountNotActive extends problem<SellerAccountNotActive>(
  "SellerAccountNotActive",
  "The account cannot sell, or not now."
)(403, "SELLER_ACCOUNT_NOT_ACTIVE", {}) {}
