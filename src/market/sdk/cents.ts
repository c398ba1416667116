import type { InventoryLine, MarketCurrency, Money, ProductListing } from "./wire.ts"

/** Returns an amount as whole cents, in which sums stay exact: 14.99 is 1499. */
export const toCents = ({ amount }: Pick<Money, "amount">): number => Math.round(amount * 100)

/** Returns whole cents as an amount that the marketplace takes: 1499 is 14.99. */
export const fromCents = (cents: number, currency: MarketCurrency): Money => {
  if (!Number.isSafeInteger(cents)) throw new TypeError("`cents` is not a whole number")
  return { amount: cents / 100, currency }
}

/** True if a listing is of the item that the line has: finish, language, condition and slab agree. */
export const isSameItem = (line: InventoryLine, listing: ProductListing): boolean =>
  (["finish", "language", "condition"] as const).every((key) => line[key] === listing[key]) &&
  (["gradingService", "grade"] as const).every((key) => line.graded?.[key] === listing.graded?.[key])
