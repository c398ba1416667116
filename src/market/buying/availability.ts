import type { Availability } from "../../feed/contract/Product.ts"
import { convertCents } from "../money/exchange.ts"
import { moneyOf, type Store } from "../state/State.ts"
import { listingCondition, type ListingFilter } from "./listingCondition.ts"
import { listedProductIds, listingIdOf, type ListingRow, listings, priceOf } from "./ListingRow.ts"

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
export const availabilities = (
  store: Store,
  productIds: ReadonlyArray<number>,
  filter: ListingFilter
): ((productId: number) => typeof Availability.Type) => {
  const { sql, values } = listingCondition(filter, productIds)
  const rows = listings(store, filter.deliveryCountry ?? null, {
    sql: `${sql} order by compared, line.id`,
    values
  })
  const found = Map.groupBy(rows, ({ product_id }) => product_id)
  return (productId) => {
    const [cheapest, ...others] = found.get(productId) ?? []
    return cheapest === undefined
      ? { inStock: false, listingCount: 0, cheapest: null }
      : { inStock: true, listingCount: 1 + others.length, cheapest: cheapestOf(cheapest) }
  }
}

/** The products of which anything can be bought. */
export const productsInStock = (store: Store, filter: ListingFilter): ReadonlyArray<number> =>
  listedProductIds(store, filter.deliveryCountry ?? null, listingCondition(filter))
