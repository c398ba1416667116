import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Account } from "../Account.ts"
import { common, commonOfWrites } from "../Errors.ts"
import { needs } from "../Scopes.ts"
import { InvalidTransition, NotASeller, WalletNotFound } from "./AccountErrors.ts"
import { Balance } from "./Balance.ts"
import { Vacation, VacationRequest } from "./Vacation.ts"

/** The account behind the key. Spec: Endpoint list, used to verify a key; beyond the spec: section 9. */
export const accountOperations = HttpApiGroup.make("account").add(
  HttpApiEndpoint.get("me", "/v1/account/me", { success: Account, error: common }).annotateMerge(needs("account:read")),
  HttpApiEndpoint.get("balance", "/v1/account/balance", {
    success: Balance,
    error: [...common, WalletNotFound]
  }).annotateMerge(needs("financial:read")),
  HttpApiEndpoint.get("vacation", "/v1/account/vacation", {
    success: Vacation,
    error: [...common, NotASeller]
  }).annotateMerge(needs("account:read")),
  HttpApiEndpoint.post("setVacation", "/v1/account/vacation", {
    payload: VacationRequest,
    success: Vacation,
    error: [...commonOfWrites, NotASeller, InvalidTransition]
  }).annotateMerge(needs("account:write"))
)
