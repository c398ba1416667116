import { Result } from "effect"
import { SellerAccountNotActive } from "../contract/account/AccountErrors.ts"
import { CurrencyMismatch } from "../contract/inventory/InventoryErrors.ts"
import type { Money } from "../contract/Money.ts"
import { findAccount, isSeller, type SellerRow } from "../accounts/accountRows.ts"
import type { Store } from "../state/State.ts"

/** The account as a seller. One that is not live yet, suspended or banned is refused; on vacation, stock is kept up. */
export const checkSeller = (store: Store, accountId: string): Result.Result<SellerRow, SellerAccountNotActive> => {
  const account = findAccount(store, accountId)
  if (!isSeller(account)) {
    return Result.fail(new SellerAccountNotActive({ message: "The account does not sell", data: {} }))
  }
  const { seller_stage, seller_status } = account
  const state = seller_stage === "staged" ? "staged" : seller_status
  return state === "active" || state === "paused"
    ? Result.succeed(account)
    : Result.fail(new SellerAccountNotActive({ message: `The seller's account is ${state}`, data: {} }))
}

/** A seller's prices are all in one currency. */
export const checkCurrency = (seller: SellerRow, price: Money): Result.Result<void, CurrencyMismatch> => {
  const data = { provided: price.currency, expected: seller.seller_currency }
  return data.provided === data.expected
    ? Result.succeed(undefined)
    : Result.fail(
        new CurrencyMismatch({ message: `The price is in ${data.provided}, the seller's in ${data.expected}`, data })
      )
}
