import { Result } from "effect"
import type { CartErrorCode } from "../contract/buying/cartOperations.ts"
import type { Region } from "../orders/orderMoney.ts"
import type { Store } from "../state/State.ts"
import { findListing, lineIdOf, type ListingRow } from "./ListingRow.ts"

/** Why a listing cannot be bought. */
export interface Refused {
  readonly code: CartErrorCode
  readonly data: Readonly<Record<string, unknown>>
}

/** Ours: units of a listing in one cart, and what they may cost in all. */
const maxUnits = 1000
const maxCents = 100_000_000

/** How many units of a listing a cart takes. */
const unitLimit = ({ price_cents }: ListingRow): number =>
  price_cents === 0 ? maxUnits : Math.min(maxUnits, Math.floor(maxCents / price_cents))

const isExcluded = (store: Store, sellerId: string, buyerId: string): boolean =>
  store.one("select 1 as yes from excluded_buyers where seller_id = :sellerId and buyer_id = :buyerId", {
    sellerId,
    buyerId
  }) !== undefined

const refused = (code: CartErrorCode, data: Refused["data"] = {}) => Result.fail({ code, data })

/** Who buys, where it goes, and which region the cart is bound to, if it holds anything. */
export interface Buyer {
  readonly id: string
  readonly country: string
  readonly region: Region | undefined
}

/** Whether this buyer may buy from the listing at all. Beyond the spec: section 13. */
export const checkListing = (store: Store, buyer: Buyer, row: ListingRow): Result.Result<ListingRow, Refused> => {
  if (row.account_id === buyer.id) return refused("OWN_LISTING")
  if (row.sells_now === 0) return refused("SELLER_UNAVAILABLE")
  if (isExcluded(store, row.account_id, buyer.id)) return refused("BUYER_EXCLUDED")
  if (buyer.region !== undefined && row.region !== buyer.region) {
    return refused("REGION_MISMATCH", { region: row.region, cartRegion: buyer.region })
  }
  return row.shipping_cents === null
    ? refused("SELLER_DOES_NOT_SHIP_TO_COUNTRY", { country: buyer.country })
    : Result.succeed(row)
}

/** The listing, if this many units of it can be bought. Beyond the spec: section 13. */
export const checkItem = (
  store: Store,
  buyer: Buyer,
  { listingId, quantity }: { readonly listingId: string; readonly quantity: number }
): Result.Result<ListingRow, Refused> => {
  const found = findListing(store, lineIdOf(listingId), buyer.country)
  if (found === undefined) return refused("LISTING_NOT_FOUND")
  return Result.flatMap(checkListing(store, buyer, found), (row) => {
    const max = unitLimit(row)
    if (quantity > max) return refused("QUANTITY_LIMIT_EXCEEDED", { max })
    return quantity > row.quantity
      ? refused("INSUFFICIENT_QUANTITY", { available: row.quantity, requested: quantity })
      : Result.succeed(row)
  })
}
