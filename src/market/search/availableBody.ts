import type { SearchRequest } from "../../feed/contract/SearchRequest.ts"
import { type Store, moneyOf } from "../state/State.ts"
import type { KeyRule } from "../wording/renameKeys.ts"
import type { ProductShelf } from "../catalogue/StoredCatalogue.ts"
import type { Availability } from "../../feed/contract/Product.ts"
import { convertCents } from "../money/exchange.ts"
import {
  listingCondition,
  type ListingFilter,
  listedProductIds,
  listingIdOf,
  type ListingRow,
  listings,
  priceOf
} from "../buying/ListingRow.ts"

/** Where a page starts and how long it may be, as the answer echoes it. */
export interface OffsetPlace {
  readonly offset: number
  readonly limit: number
}

const open = Buffer.from('{"data":[')
const comma = Buffer.from(",")

/** An offset page assembled from stored texts: one line, nothing encoded again. Spec: Endpoints, offset pagination. */
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

const cheapestOf = (row: ListingRow): NonNullable<typeof Availability.Type.cheapest> => ({
  listingId: listingIdOf(row.id),
  price: priceOf(row),
  priceEur: moneyOf(convertCents(row.price_cents, row.currency, "EUR"), "EUR"),
  quantity: row.quantity,
  finish: row.finish,
  condition: row.condition,
  language: row.language,
  seller: { id: row.account_id, username: row.seller_username, country: row.seller_country, type: row.seller_type }
})

/** What can be bought of these products now. Spec: SealedProduct, availability. */
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
      : { inStock: true, listingCount: 1 + others.length, cheapest: cheapestOf(cheapest) }
  }
}

/** The products of which anything can be bought. */
const productsInStock = (store: Store, filter: ListingFilter): ReadonlyArray<number> =>
  listedProductIds(store, filter.deliveryCountry ?? null, listingCondition(filter))

/** What a search found: the products of a shelf, in the order of the answer. */
export interface Found {
  readonly shelf: ProductShelf
  readonly total: number
  /** The product at a place of the answer, as its place on the shelf. */
  readonly index: (place: number) => number
}

/** Only the products of which something can be bought. */
const inStockOnly = (
  store: Store,
  { shelf, total, index }: Found,
  filter: NonNullable<SearchRequest["listings"]>
): Found => {
  const stocked = new Set(productsInStock(store, filter).flatMap((id) => shelf.find(String(id)) ?? []))
  const kept = Array.from({ length: total }, (_, place) => index(place)).filter((at) => stocked.has(at))
  return { shelf, total: kept.length, index: (place) => kept[place] ?? 0 }
}

/** A page with listings: which ones count, and how its records are written. */
interface ListedPlace extends OffsetPlace {
  readonly filter: NonNullable<SearchRequest["listings"]>
  readonly rule: KeyRule | null
}

/** The page of a search with listings: each stored text with its `availability`. Spec: SealedProduct. */
export const availableBody = (store: Store, all: Found, { filter, limit, offset, rule }: ListedPlace): Uint8Array => {
  const found = filter.inStock === true ? inStockOnly(store, all, filter) : all
  const { shelf, total, index } = found
  const idAt = (place: number) => Number(shelf.facts(index(place)).id)
  const shown = Math.max(0, Math.min(limit, total - offset))
  const availabilityOf = availabilities(
    store,
    Array.from({ length: shown }, (_, place) => idAt(offset + place)),
    filter
  )
  return offsetBody({ offset, limit }, total, (place) => {
    const text = Buffer.from(shelf.worded(index(place), rule))
    const added = `,"availability":${JSON.stringify(availabilityOf(idAt(place)))}}`
    return Buffer.concat([text.subarray(0, text.lastIndexOf("}")), Buffer.from(added)])
  })
}
