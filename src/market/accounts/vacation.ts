import { Result } from "effect"
import { InvalidTransition, NotASeller } from "../contract/account/AccountErrors.ts"
import type { Vacation } from "../contract/account/Vacation.ts"
import type { Store } from "../state/Store.ts"
import type { Transaction } from "../state/State.ts"
import { findAccount, isSeller } from "./accountRows.ts"

/** Whether the seller's listings are hidden. Beyond the spec: section 9. */
export const vacationOf = (store: Store, accountId: string): Result.Result<typeof Vacation.Type, NotASeller> => {
  const account = findAccount(store, accountId)
  if (!isSeller(account)) {
    return Result.fail(new NotASeller({ message: "The account does not sell, so it has no vacation", data: {} }))
  }
  const { seller_status: status, vacation_since: since } = account
  return Result.succeed({ enabled: since !== null, status, since })
}

/** Switches it. A suspended or banned seller cannot; setting it as it is changes nothing. */
export const setVacation = (tx: Transaction, accountId: string, enabled: boolean) =>
  Result.gen(function* () {
    const before = yield* vacationOf(tx, accountId)
    const to = enabled ? "paused" : "active"
    if (before.status === "suspended" || before.status === "banned") {
      const data = { from: before.status, to }
      return yield* Result.fail(new InvalidTransition({ message: `The account is ${before.status}`, data }))
    }
    tx.run("update accounts set seller_status = :to, vacation_since = :since where id = :accountId", {
      to,
      since: enabled ? (before.since ?? tx.at) : null,
      accountId
    })
    return yield* vacationOf(tx, accountId)
  })
