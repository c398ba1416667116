import type { MarketCurrency, Money } from "../contract/Money.ts"

/** Money is kept as whole cents, so that sums are exact. Every currency of the marketplace has two decimals. */
export const centsOf = (amount: number): number => Math.round(amount * 100)

/** Cents as the API writes them. */
export const moneyOf = (cents: number, currency: MarketCurrency): Money => ({ amount: cents / 100, currency })
