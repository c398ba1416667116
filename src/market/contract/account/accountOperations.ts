import { keyOperations } from "../../../contract/NightlyApi.ts"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { common, commonOfWrites } from "../../../contract/Errors.ts"
import { needs } from "../../../contract/Scopes.ts"
import { InvalidTransition, NotASeller, WalletNotFound } from "./AccountErrors.ts"
import { Vacation, VacationRequest } from "./Vacation.ts"
import { Schema } from "effect"
import { Instant } from "../../../contract/Catalogue.ts"
import { Money } from "../Money.ts"

/** What a seller is owed: `available` can be paid out, `pending` is of open orders. Beyond the spec: section 9. */
const Balance = Schema.Struct({ available: Money, pending: Money, updatedAt: Instant }).annotate({
  title: "Balance",
  description: "`available` can be paid out; `pending` is of open orders."
})
type Balance = typeof Balance.Type

/** What the account behind a key has and does. Beyond the spec: section 9. */
export const accountOperations = keyOperations.add(
  HttpApiEndpoint.get("balance", "/v1/account/balance", {
    success: Balance,
    error: [...common, WalletNotFound]
  })
    .annotate(OpenApi.Summary, "The seller's balance")
    .annotateMerge(needs("financial:read")),
  HttpApiEndpoint.get("vacation", "/v1/account/vacation", {
    success: Vacation,
    error: [...common, NotASeller]
  })
    .annotate(OpenApi.Summary, "Whether the seller is on vacation")
    .annotateMerge(needs("account:read")),
  HttpApiEndpoint.post("setVacation", "/v1/account/vacation", {
    payload: VacationRequest,
    success: Vacation,
    error: [...commonOfWrites, NotASeller, InvalidTransition]
  })
    .annotate(OpenApi.Summary, "Start or end the seller's vacation")
    .annotateMerge(needs("account:write"))
)
