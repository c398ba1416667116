import { Result } from "effect"
import type { Cart, CartErrorCode } from "../contract/buying/cartOperations.ts"
import type { SoldProduct } from "../catalogue/soldProducts.ts"
import { readGraded, lineIdOf, listingIdOf } from "../inventory/LineRow.ts"
import { toMoney, type Store, type Transaction } from "../state/State.ts"
import { findListing, type ListingRow, readPrice, showSeller } from "./ListingRow.ts"
import type { Region } from "../orders/orderMoney.ts"

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

const showEntry = ({ row, quantity, addedAt }: CartEntry, products: Products) => {
  const { name, imageUrl } = findName(products, row)
  return {
    listingId: listingIdOf(row.id),
    productId: row.product_id,
    productName: name,
    imageUrl,
    condition: row.condition,
    language: row.language,
    finish: row.finish,
    graded: readGraded(row),
    quantity,
    unitPrice: readPrice(row),
    lineTotal: toMoney(row.price_cents * quantity, row.currency),
    addedAt
  }
}

/** Groups entries by seller, in the order in which they were added to the cart. */
export const bySeller = (entries: ReadonlyArray<CartEntry>) =>
  [...Map.groupBy(entries, ({ row }) => row.account_id).values()].flatMap((items) =>
    items[0] === undefined ? [] : [{ seller: items[0].row, items }]
  )

/** Returns a cart as the API shows it. Beyond the spec: section 13. */
export const showCart = ({ country, entries }: FreshCart, products: Products): Cart => ({
  deliveryCountry: country,
  itemCount: entries.reduce((sum, { quantity }) => sum + quantity, 0),
  sellers: bySeller(entries).map(({ seller, items }) => ({
    seller: showSeller(seller),
    itemsSubtotal: toMoney(
      items.reduce((sum, { row, quantity }) => sum + row.price_cents * quantity, 0),
      seller.currency
    ),
    items: items.map((entry) => showEntry(entry, products))
  }))
})
