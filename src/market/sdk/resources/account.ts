import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { VacationRequest } from "../wire.ts"

/** The account behind the key. */
export const account = ({ call }: Caller) => ({
  /** Who the key belongs to, and its scopes. Needs the scope `account:read`. */
  me: (options?: RequestOptions) => call("account.me", {}, options),
  /** What the seller can be paid, and what is still to come. Needs the scope `financial:read`. */
  balance: (options?: RequestOptions) => call("account.balance", {}, options),
  /** Whether the seller is on vacation. Needs the scope `account:read`. */
  vacation: (options?: RequestOptions) => call("account.vacation", {}, options),
  /** Starts or ends the vacation; meanwhile nothing of the seller is for sale. Needs the scope `account:write`. */
  setVacation: (vacation: VacationRequest, options?: RequestOptions) =>
    call("account.setVacation", { body: vacation }, options)
})
