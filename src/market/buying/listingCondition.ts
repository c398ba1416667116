import type { Region } from "../orders/orderMoney.ts"

/** What is asked of the listings of a product. */
export interface ListingFilter {
  readonly condition?: ReadonlyArray<string>
  readonly language?: ReadonlyArray<string>
  readonly finish?: ReadonlyArray<string>
  readonly region?: Region
  readonly deliveryCountry?: string
}

const filters = ["condition", "language", "finish"] as const

/** The listings that can be bought, of all products or of some, as a condition of `selectListings.sql`. */
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
