import type { SearchRequest } from "../../feed/contract/SearchRequest.ts"
import { type Store, toMoney, convertCents } from "../state/State.ts"
import type { KeyRule } from "../wording/renameKeys.ts"
import type { ProductShelf } from "../catalogue/StoredCatalogue.ts"
import type { Availability } from "../../feed/contract/Product.ts"
import { listingIdOf } from "../inventory/LineRow.ts"
import { listingCondition, type ListingFilter } from "../buying/productListings.ts"
import { listedProductIds, type ListingRow, listings, readPrice } from "../buying/cart.ts"

/** The offset and limit of a page, as the answer repeats them. */
export interface OffsetPlace {
  readonly offset: number
  readonly limit: number
}

const open = Buffer.from('{"data":[')
const comma = Buffer.from(",")

/** Assembles an offset page from stored texts without re-encoding, in one line. Spec: Endpoints, offset pagination. */
export const offsetBody = (
  { offset, limit }: OffsetPlace,
  total: number,
  text: (place: number) => Uint8Array
): Uint8Array => {
  const parts: Array<Uint8Array> = [open]
  const end = Math.min(offset + limit, total)
  for (let place = offset; place < end; place++) {
    if (place > offset) parts.push(comma)
    parts.push(text(place))
  }
  const pagination = JSON.stringify({ offset, limit, total, hasMore: end < total })
  parts.push(Buffer.from(`],"pagination":${pagination}}`))
  return Buffer.concat(parts)
}

const showCheapest = (row: ListingRow): NonNullable<typeof Availability.Type.cheapest> => ({
  listingId: listingIdOf(row.id),
  price: readPrice(row),
  priceEur: toMoney(convertCents(row.price_cents, row.currency, "EUR"), "EUR"),
  quantity: row.quantity,
  finish: row.finish,
  condition: row.condition,
  language: row.language,
  seller: { id: row.account_id, username: row.seller_username, country: row.seller_country, type: row.seller_type }
})

/** Returns the availability of these products. Spec: SealedProduct, availability. */
const availabilities = (
  store: Store,
  productIds: ReadonlyArray<number>,
  filter: ListingFilter
): ((productId: number) => typeof Availability.Type) => {
  const { sql, values } = listingCondition(filter, productIds)
  const rows = listings(store, filter.deliveryCountry ?? null, { sql: `${sql} order by compared, line.id`, values })
  const found = Map.groupBy(rows, ({ product_id }) => product_id)
  return (productId) => {
    const [cheapest, ...others] = found.get(productId) ?? []
    return cheapest === undefined
      ? { inStock: false, listingCount: 0, cheapest: null }
      : { inStock: true, listingCount: 1 + others.length, cheapest: showCheapest(cheapest) }
  }
}

/** Returns the products with available listings. */
const productsInStock = (store: Store, filter: ListingFilter): ReadonlyArray<number> =>
  listedProductIds(store, filter.deliveryCountry ?? null, listingCondition(filter))

/** The result of a search: products of a shelf in the order of the answer. */
export interface SearchResult {
  readonly shelf: ProductShelf
  readonly total: number
  /** Returns the shelf index of the product at a position of the answer. */
  readonly index: (place: number) => number
}

/** Keeps only products with available listings. */
const inStockOnly = (
  store: Store,
  { shelf, total, index }: SearchResult,
  filter: NonNullable<SearchRequest["listings"]>
): SearchResult => {
  const stocked = new Set(productsInStock(store, filter).flatMap((id) => shelf.find(String(id)) ?? []))
  const kept = Array.from({ length: total }, (_, place) => index(place)).filter((at) => stocked.has(at))
  return { shelf, total: kept.length, index: (place) => kept[place] ?? 0 }
}

/** The position of a page of products with listings, the filter for listings, and the rule that renames record keys. */
interface ListedPlace extends OffsetPlace {
  readonly filter: NonNullable<SearchRequest["listings"]>
  readonly rule: KeyRule | null
}

/** Returns a search page with listings: stored texts with their `availability`. Spec: SealedProduct. */
export const availableBody = (
  store: Store,
  all: SearchResult,
  { filter, limit, offset, rule }: ListedPlace
): Uint8Array => {
  const found = filter.inStock === true ? inStockOnly(store, all, filter) : all
  const { shelf, total, index } = found
  const idAt = (place: number) => Number(shelf.facts(index(place)).id)
  const shown = Math.max(0, Math.min(limit, total - offset))
  const readAvailability = availabilities(
    store,
    Array.from({ length: shown }, (_, place) => idAt(offset + place)),
    filter
  )
  return offsetBody({ offset, limit }, total, (place) => {
    const text = Buffer.from(shelf.worded(index(place), rule))
    const added = `,"availability":${JSON.stringify(readAvailability(idAt(place)))}}`
    return Buffer.concat([text.subarray(0, text.lastIndexOf("}")), Buffer.from(added)])
  })
}
