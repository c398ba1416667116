import type { ListingSeller, ProductListing } from "../contract/buying/productListingOperations.ts"
import type { MarketCurrency, Money } from "../contract/Money.ts"
import type { SellerType } from "../contract/orders/orderParts.ts"
import { readGraded, lineIdOf, type LineRow, listingIdOf, parsePhotos } from "../inventory/LineRow.ts"
import { comparableFactor } from "../money/exchange.ts"
import type { Region } from "../orders/orderMoney.ts"
import type { ShippingService } from "../orders/OrderRow.ts"
import { toMoney, type Store, State } from "../state/State.ts"
import { sqlText } from "../state/openDatabase.ts"
import { Effect } from "effect"
import { soldProducts } from "../catalogue/soldProducts.ts"

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

/** Returns a listing in its public form. Spec: ProductListing. */
export const showListing = (row: ListingRow, origin: string): ProductListing => ({
  listingId: listingIdOf(row.id),
  price: readPrice(row),
  quantity: row.quantity,
  condition: row.condition,
  language: row.language,
  finish: row.finish,
  graded: readGraded(row),
  comment: row.comment,
  seller: showSeller(row),
  photos: parsePhotos(row.photos, origin)
})

/** Filters of the listings of a product. */
export interface ListingFilter {
  readonly condition?: ReadonlyArray<string>
  readonly language?: ReadonlyArray<string>
  readonly finish?: ReadonlyArray<string>
  readonly region?: Region
  readonly deliveryCountry?: string
}

const filters = ["condition", "language", "finish"] as const

/** Returns the condition for listings that can be bought, of these products or of all. */
export const listingCondition = (filter: ListingFilter, productIds?: ReadonlyArray<number>) => {
  const conditions = ["line.quantity > 0", "seller.seller_status = 'active' and seller.seller_stage = 'live'"]
  const values: Record<string, string> = {}
  if (productIds !== undefined) {
    conditions.push("line.product_id in (select value from json_each(:productIds))")
    values["productIds"] = JSON.stringify(productIds)
  }
  for (const name of filters) {
    const words = filter[name]
    if (words === undefined) continue
    conditions.push(`line.${name} in (select value from json_each(:${name}))`)
    values[name] = JSON.stringify(words)
  }
  if (filter.region !== undefined) {
    conditions.push("coalesce(home.region, 'eu') = :region")
    values["region"] = filter.region
  }
  if (filter.deliveryCountry !== undefined) conditions.push("offer.cents is not null")
  return { sql: conditions.join(" and "), values }
}

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
