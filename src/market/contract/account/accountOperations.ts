import { operations } from "../operationRows.ts"
import { keyOperations } from "../../../feed/contract/NightlyApi.ts"
import { common, commonOfWrites } from "../../../feed/contract/Errors.ts"
import { InvalidTransition, NotASeller, WalletNotFound } from "./AccountErrors.ts"
import { Vacation, VacationRequest } from "./Vacation.ts"
import { Schema } from "effect"
import { Instant } from "../../../feed/contract/Catalogue.ts"
import { Money } from "../Money.ts"

/** What a seller is owed: `available` can be paid out, `pending` is of open orders. Beyond the spec: section 9. */
const Balance = Schema.Struct({ available: Money, pending: Money, updatedAt: Instant }).annotate({
  title: "Balance",
  description: "`available` can be paid out; `pending` is of open orders."
})
type Balance = typeof Balance.Type

const readFinancial = operations(common, "financial:read")
const read = operations(common, "account:read")
const write = operations(commonOfWrites, "account:write")

/** What the account behind a key has and does. Beyond the spec: section 9. */
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
