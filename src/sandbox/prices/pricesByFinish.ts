import { isObject, type Json } from "../catalogue/Json.ts"

/** The price blocks of a product by finish; a sealed product has one, under `Standard`. Without a price: `{}`. */
export const pricesByFinish = (product: Json): Json => {
  const { prices, pricesByFinish: byFinish } = product
  if (isObject(byFinish)) return byFinish
  return isObject(prices) && Object.keys(prices).length > 0 ? { Standard: prices } : {}
}
