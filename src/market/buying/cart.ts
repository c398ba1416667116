import { Effect, Result } from "effect"
import type { ListingSeller } from "../contract/buying/productListingOperations.ts"
import type { MarketCurrency, Money } from "../contract/Money.ts"
import type { SellerType } from "../contract/orders/orderParts.ts"
import { lineIdOf, type LineRow } from "../inventory/LineRow.ts"
import { comparableFactor, toMoney, type Store, State, type Transaction } from "../state/State.ts"
import type { Region } from "../orders/placeOrder.ts"
import type { ShippingService } from "../orders/OrderRow.ts"
import { sqlText } from "../state/openDatabase.ts"
import { soldProducts, type SoldProduct } from "../catalogue/soldProducts.ts"
import type { CartErrorCode } from "../contract/buying/cartOperations.ts"

/** A row of `selectListings.sql`. */
export interface ListingRow extends LineRow {
  readonly price_cents: number
  readonly currency: MarketCurrency
  readonly seller_username: string
  readonly seller_country: string
  readonly seller_type: SellerType
  readonly rating_average: number | null
  readonly rating_count: number
  readonly region: Region
  readonly sells_now: number
  readonly shipping_cents: number | null
  readonly shipping_service: ShippingService | null
  /** The price in units comparable across currencies: the current price, or the one at `since`. */
  readonly compared: number
  readonly photos: string
}

const selectListings = sqlText(new URL("./selectListings.sql", import.meta.url))
const always = { factors: JSON.stringify(comparableFactor), since: Number.MAX_SAFE_INTEGER }

/** A condition to add to `selectListings.sql`, with its values. */
interface Where {
  readonly sql: string
  readonly values: Readonly<Record<string, string | number | null>>
}

/** Returns the distinct products of listings that meet a condition. */
export const listedProductIds = (store: Store, country: string | null, { sql, values }: Where): ReadonlyArray<number> =>
  store
    .all<{ product_id: number }>(`select distinct product_id from (${selectListings} and ${sql})`, {
      ...always,
      ...values,
      country
    })
    .map(({ product_id }) => product_id)

/** Returns listings that meet a condition, as seen from a country. */
export const listings = (store: Store, country: string | null, { sql, values }: Where): ReadonlyArray<ListingRow> =>
  store.all<ListingRow>(`${selectListings} and ${sql}`, { ...always, ...values, country })

/** Returns the listing of a line, even if it is sold out or hidden. */
export const findListing = (store: Store, lineId: string, country: string | null): ListingRow | undefined =>
  listings(store, country, { sql: "line.id = :lineId", values: { lineId } })[0]

export const readPrice = ({ price_cents, currency }: ListingRow): Money => toMoney(price_cents, currency)

/** Returns the seller of a listing. Spec: ListingSeller. */
export const showSeller = (row: ListingRow): ListingSeller => ({
  id: row.account_id,
  username: row.seller_username,
  country: row.seller_country,
  type: row.seller_type,
  rating: { average: row.rating_average, count: row.rating_count },
  shipping: row.shipping_cents === null ? null : toMoney(row.shipping_cents, row.currency)
})

/** Loads the products of an account's cart and of these listings, before a write. A line's product never changes. */
export const listedProducts = Effect.fnUntraced(function* (accountId: string, listingIds: ReadonlyArray<string> = []) {
  const { store } = yield* State
  const rows = store.all<{ product_id: number; game: string }>(
    `select distinct product_id, game from inventory_lines
     where id in (select value from json_each(:lines))
       or id in (select line_id from cart_items where account_id = :accountId)`,
    { accountId, lines: JSON.stringify(listingIds.map(lineIdOf)) }
  )
  return yield* soldProducts(
    rows.map(({ product_id }) => String(product_id)),
    new Set(rows.map(({ game }) => game))
  )
})

/** Why a listing cannot be bought. */
export interface Refused {
  readonly code: CartErrorCode
  readonly data: Readonly<Record<string, unknown>>
}

/** Our limits: units of a listing in one cart, and their total price. */
const maxUnits = 1000
const maxCents = 100_000_000

/** Returns the maximum units of a listing in a cart. */
const unitLimit = ({ price_cents }: ListingRow): number =>
  price_cents === 0 ? maxUnits : Math.min(maxUnits, Math.floor(maxCents / price_cents))

const isExcluded = (store: Store, sellerId: string, buyerId: string): boolean =>
  store.one("select 1 as yes from excluded_buyers where seller_id = :sellerId and buyer_id = :buyerId", {
    sellerId,
    buyerId
  }) !== undefined

const refused = (code: CartErrorCode, data: Refused["data"] = {}) => Result.fail({ code, data })

/** The buyer, the delivery country, and the region of the cart if it is not empty. */
export interface Buyer {
  readonly id: string
  readonly country: string
  readonly region: Region | undefined
}

/** Checks that this buyer may buy from the listing. Beyond the spec: section 13. */
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

/** Returns the listing if this many units of it can be bought. Beyond the spec: section 13. */
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

interface ItemRow {
  readonly line_id: string
  readonly quantity: number
  readonly price_cents: number
  readonly added_at: string
}

/** An item of a cart with its current listing. */
export interface CartEntry {
  readonly row: ListingRow
  readonly quantity: number
  readonly addedAt: string
}

export interface FreshCart {
  readonly country: string | null
  readonly entries: ReadonlyArray<CartEntry>
}

const listItems = (store: Store, accountId: string) =>
  store.all<ItemRow>("select * from cart_items where account_id = :accountId order by place", { accountId })

export const removeItem = (tx: Transaction, accountId: string, lineId: string): void =>
  void tx.run("delete from cart_items where account_id = :accountId and line_id = :lineId", { accountId, lineId })

export const putItem = (tx: Transaction, accountId: string, { quantity, row }: Omit<CartEntry, "addedAt">): void =>
  void tx.run(
    `insert into cart_items values (:accountId, :lineId, :quantity, :price, :at, :place)
     on conflict do update set quantity = :quantity, price_cents = :price`,
    { accountId, lineId: row.id, quantity, price: row.price_cents, at: tx.at, place: tx.newId() }
  )

export const emptyCart = (tx: Transaction, accountId: string): FreshCart => {
  tx.run("delete from carts where account_id = :accountId", { accountId })
  return { country: null, entries: [] }
}

/**
 * Updates the cart to what can be bought now: a lower price is applied, a higher one removes the item, and quantities
 * are reduced to the stock. Nothing is reserved. Beyond the spec: section 13.
 */
export const freshCart = (tx: Transaction, accountId: string): FreshCart => {
  const cart = tx.one<{ delivery_country: string }>("select * from carts where account_id = :accountId", { accountId })
  if (cart === undefined) return { country: null, entries: [] }
  const { delivery_country: country } = cart
  const entries: Array<CartEntry> = []
  for (const item of listItems(tx, accountId)) {
    const row = findListing(tx, item.line_id, country)
    const buyer = { id: accountId, country, region: entries[0]?.row.region }
    const quantity = Math.min(item.quantity, row?.quantity ?? 0)
    const canStay =
      row !== undefined &&
      quantity > 0 &&
      row.price_cents <= item.price_cents &&
      Result.isSuccess(checkListing(tx, buyer, row))
    if (!canStay) {
      removeItem(tx, accountId, item.line_id)
      continue
    }
    putItem(tx, accountId, { row, quantity })
    entries.push({ row, quantity, addedAt: item.added_at })
  }
  return entries.length === 0 ? emptyCart(tx, accountId) : { country, entries }
}

export type Products = ReadonlyMap<string, Pick<SoldProduct, "name" | "imageUrl">>

/** Returns the name and picture of a product, or its id if it left the catalogue. */
export const findName = (products: Products, { product_id }: ListingRow) =>
  products.get(String(product_id)) ?? { name: `Product ${product_id}`, imageUrl: null }

/** Groups entries by seller, in the order in which they were added to the cart. */
export const bySeller = (entries: ReadonlyArray<CartEntry>) =>
  [...Map.groupBy(entries, ({ row }) => row.account_id).values()].flatMap((items) =>
    items[0] === undefined ? [] : [{ seller: items[0].row, items }]
  )
