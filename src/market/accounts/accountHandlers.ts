import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { WalletNotFound, InvalidTransition, NotASeller, type Vacation } from "../contract/account/accountOperations.ts"
import { Caller } from "../../feed/contract/Authorization.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { answerOnce, readCallerState } from "../state/answerOnce.ts"
import { State, type Transaction, type Store } from "../state/State.ts"
import { showBalance, findAccount, findWallet, isSeller } from "./accounts.ts"

/** Returns the seller's vacation: true if the listings are hidden. Beyond the spec: section 9. */
const readVacation = (store: Store, accountId: string): Result.Result<typeof Vacation.Type, NotASeller> => {
  const account = findAccount(store, accountId)
  if (!isSeller(account)) {
    return Result.fail(new NotASeller({ message: "The account does not sell, so it has no vacation", data: {} }))
  }
  const { seller_status: status, vacation_since: since } = account
  return Result.succeed({ enabled: since !== null, status, since })
}

/** Switches the vacation on or off. A suspended or banned seller is refused. An unchanged value writes nothing. */
const setVacation = (tx: Transaction, accountId: string, enabled: boolean) =>
  Result.gen(function* () {
    const before = yield* readVacation(tx, accountId)
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
    return yield* readVacation(tx, accountId)
  })

/**
 * Handlers of the account behind the key, its balance and its vacation. Spec: Authentication, 5; beyond the spec:
 * section 9.
 */
export const accountHandlers = HttpApiBuilder.group(MarketplaceApi, "account", (handlers) =>
  handlers
    .handle(
      "me",
      Effect.fnUntraced(function* () {
        const { accountId, scopes } = yield* Caller
        const { store } = yield* State
        const account = findAccount(store, accountId)
        if (account === undefined) return yield* Effect.die(new Error(`The key of ${accountId} has no account`))
        return {
          id: account.id,
          username: account.username,
          email: account.email,
          // Empty if the account has no picture.
          imageUrl: account.image_url,
          createdAt: account.created_at,
          seller: isSeller(account)
            ? {
                type: account.seller_type,
                country: account.country,
                currency: account.seller_currency,
                available: account.seller_status === "active",
                status: account.seller_stage
              }
            : null,
          scopes
        }
      })
    )
    .handle(
      "balance",
      Effect.fnUntraced(function* () {
        const { accountId, store } = yield* readCallerState
        const wallet = findWallet(store, accountId)
        if (wallet === undefined) {
          return yield* new WalletNotFound({ message: "The account has no wallet, because it does not sell", data: {} })
        }
        return showBalance(wallet)
      })
    )
    .handle("vacation", () =>
      Effect.flatMap(readCallerState, ({ accountId, store }) => Effect.fromResult(readVacation(store, accountId)))
    )
    .handle("setVacation", ({ payload: { enabled } }) =>
      answerOnce((tx, accountId) => setVacation(tx, accountId, enabled))
    )
)
