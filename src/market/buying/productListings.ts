import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Region } from "../orders/placeOrder.ts"
import { type ListingRow, readPrice, showSeller, listings } from "./cart.ts"
import type { ProductListing } from "../contract/buying/productListingOperations.ts"
import { readGraded, listingIdOf, parsePhotos } from "../inventory/LineRow.ts"
import { cursorPage } from "../answers/cursorPage.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { requestOrigin } from "../answers/wire.ts"
import { findProduct } from "../catalogue/LiveCatalogue.ts"
import { Stalls } from "../offers/Stalls.ts"
import { State, type Store } from "../state/State.ts"
import { pageLimits } from "../../feed/contract/Paging.ts"
import { badRequest } from "../answers/refusals.ts"

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

/** The position of a sweep, and the time of the last price change before it began. */
interface Place {
  readonly since: number
  readonly compared: number
  readonly id: string
}

const formatCursor = ({ compared, id, since }: Place): string =>
  Buffer.from(`listing:${since}:${compared}:${id}`).toString("base64url")

const placeOfCursor = (cursor: string): Place | undefined => {
  const text = Buffer.from(cursor, "base64url").toString()
  const [, since, compared, id] = /^listing:(\d{1,15}):(\d{1,16}):([0-9a-f]{24})$/.exec(text) ?? []
  return id === undefined ? undefined : { since: Number(since), compared: Number(compared), id }
}

/** The requested page of listings, and the origin of its links. */
interface ListingsRequest extends ListingFilter {
  readonly productId: number
  readonly origin: string
  readonly cursor?: string
  readonly limit?: number
}

const beginning = (store: Store): Place => {
  const last = store.one<{ last: number | null }>("select max(number) as last from price_changes")?.last
  return { since: last ?? 0, compared: -1, id: "" }
}

/**
 * Returns a page of a product's listings by price, then age. The first page's order persists, so that a sweep neither
 * repeats nor skips listings. Fails with 400 for an unknown cursor. Spec: ProductListing.
 */
const listingPage = Effect.fnUntraced(function* (
  store: Store,
  { cursor, limit = pageLimits.cursor.default, origin, productId, ...filter }: ListingsRequest
) {
  const after = cursor === undefined ? beginning(store) : placeOfCursor(cursor)
  if (after === undefined) return yield* badRequest("cursor", "is not a cursor of this list")
  const { sql, values } = listingCondition(filter, [productId])
  const rows = listings(store, filter.deliveryCountry ?? null, {
    sql: `${sql} and (compared, line.id) > (:compared, :id) order by compared, line.id limit :rows`,
    values: { ...values, ...after, rows: limit + 1 }
  })
  const { next: nextCursor, shown } = cursorPage(rows, limit, (last) => formatCursor({ ...after, ...last }))
  return { data: shown.map((row) => showListing(row, origin)), pagination: { nextCursor } }
})

/** Handlers of a product's listings. Spec: ProductListing; beyond the spec: section 6. */
export const productListingHandlers = HttpApiBuilder.group(MarketplaceApi, "productListings", (handlers) =>
  handlers.handle(
    "productListings",
    Effect.fnUntraced(function* ({ params: { productId }, query }) {
      yield* findProduct(productId)
      yield* (yield* Stalls).open([Number(productId)])
      const { store } = yield* State
      return yield* listingPage(store, { ...query, productId: Number(productId), origin: yield* requestOrigin })
    })
  )
)
