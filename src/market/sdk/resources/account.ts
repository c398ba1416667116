import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { VacationRequest } from "../wire.ts"

/** The account behind the key. */
export const account = ({ call }: Caller) => ({
  /** The account of the key and its scopes. Needs the scope `account:read`. */
  me: (options?: RequestOptions) => call("account.me", {}, options),
  /** The seller's available and pending money. Needs the scope `financial:read`. */
  balance: (options?: RequestOptions) => call("account.balance", {}, options),
  /** The seller's vacation. Needs the scope `account:read`. */
  vacation: (options?: RequestOptions) => call("account.vacation", {}, options),
  /** Starts or ends the vacation, which hides all of the seller's listings. Needs the scope `account:write`. */
  setVacation: (vacation: VacationRequest, options?: RequestOptions) =>
    call("account.setVacation", { body: vacation }, options)
})
