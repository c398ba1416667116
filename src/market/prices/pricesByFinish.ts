import { isPlainObject, type Json } from "../catalogue/Json.ts"

/** The price blocks of a product by finish; a sealed product has one, under `Standard`. Without a price: `{}`. */
export const pricesByFinish = (product: Json): Json => {
  const { prices, pricesByFinish: byFinish } = product
  if (isPlainObject(byFinish)) return byFinish
  return isPlainObject(prices) && Object.keys(prices).length > 0 ? { Standard: prices } : {}
}
