import type { MarketCurrency } from "../contract/Money.ts"
import { addKey, makeAccount } from "../accounts/accounts.ts"
import type { Transaction } from "../state/State.ts"
import type { Drawn } from "../catalogue/seededNumber.ts"

/** The traders in a filled market. */
export interface Traders {
  readonly sellers: ReadonlyArray<{ readonly id: string; readonly currency: MarketCurrency }>
  readonly buyers: ReadonlyArray<string>
}

const sellersCurrencies: ReadonlyArray<MarketCurrency> = ["EUR", "EUR", "EUR", "USD", "USD", "GBP", "CAD", "CHF"]
const buyersCountries = ["DE", "FR", "IT", "ES", "GB", "CH", "US", "US", "CA"]

/** A filled market's key, with every scope, for an account. */
export const filledKey = (seed: number, username: string): string => `cl_sandbox_${seed}_${username}`

/** Half of the accounts sell, every other one as a company. Each has a key derived from its name and the seed. */
export const fillAccounts = (
  tx: Transaction,
  drawn: Drawn,
  { accounts, seed }: { readonly seed: number; readonly accounts: number }
): Traders => {
  const sellers: Array<Traders["sellers"][number]> = []
  const buyers: Array<string> = []
  for (let number = 0; number < accounts; number++) {
    const place = Math.floor(number / 2) + 1
    const isSeller = number % 2 === 0
    const username = isSeller ? `seller-${place}` : `buyer-${place}`
    // The first two trade with each other, so that the smallest market has orders, too.
    const currency = place === 1 ? "EUR" : (drawn.of(sellersCurrencies) ?? "EUR")
    const country = place === 1 ? "DE" : (drawn.of(buyersCountries) ?? "DE")
    const { id } = makeAccount(
      tx,
      isSeller
        ? { username, seller: { type: place % 2 === 1 ? "pro" : "individual", currency } }
        : { username, country }
    )
    addKey(tx, id, { secret: filledKey(seed, username), scopes: ["*"] })
    if (isSeller) sellers.push({ id, currency })
    else buyers.push(id)
  }
  return { sellers, buyers }
}
