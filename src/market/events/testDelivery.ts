import { Result } from "effect"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import { moneyOf, type Transaction } from "../state/State.ts"
import { emitTo } from "./emit.ts"
import type { Endpoint } from "./endpoints.ts"

interface WalletRow {
  readonly currency: MarketCurrency
  readonly available_cents: number
  readonly pending_cents: number
}

/** An account that does not sell has no wallet, and no money. */
const noWallet: WalletRow = { currency: "EUR", available_cents: 0, pending_cents: 0 }

/** Tells one endpoint the account's balance as it is: what a receiver does with it is right. */
export const testDelivery = (tx: Transaction, endpoint: Endpoint) => {
  if (endpoint.disabledAt !== null) {
    return Result.fail(new Conflict({ message: "The endpoint is switched off; switch it on first", data: {} }))
  }
  const { available_cents, currency, pending_cents } =
    tx.one<WalletRow>("select * from wallets where account_id = :accountId", { accountId: endpoint.accountId }) ??
    noWallet
  return Result.succeed(
    emitTo(tx, endpoint, {
      type: "balance.updated",
      data: {
        available: moneyOf(available_cents, currency),
        pending: moneyOf(pending_cents, currency),
        updatedAt: tx.at
      }
    })
  )
}
