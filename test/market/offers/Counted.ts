import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { ProductListing } from "../../../src/market/contract/buying/productListingOperations.ts"
import { ask, testKey, clientOf } from "../Served.ts"
import { listingsOf } from "../Shop.ts"

/** Cents of a euro, as src/market/guide/trade.md says. */
const perEuro = { EUR: 100, USD: 110, GBP: 85, CAD: 150, CHF: 95 }

type Listing = Pick<ProductListing, "condition" | "finish" | "graded" | "language" | "price" | "quantity"> & {
  readonly seller: { readonly country: string }
}
type Blocks = Readonly<Record<string, unknown>>

/** A price in another currency, to the nearest cent. */
const inCurrency = ({ price }: Listing, currency: "EUR" | "USD") =>
  price.currency === currency
    ? price.amount
    : Math.round((Math.round(price.amount * 100) * perEuro[currency]) / perEuro[price.currency]) / 100

const depth = (listings: ReadonlyArray<Listing>, currency: "EUR" | "USD") => ({
  low: Math.min(...listings.map((each) => inCurrency(each, currency))),
  listingCount: listings.length,
  availableQuantity: listings.map(({ quantity }) => quantity).reduce((a, b) => a + b, 0)
})

const grouped = <A>(
  listings: ReadonlyArray<Listing>,
  keyOf: (listing: Listing) => string | null,
  make: (some: ReadonlyArray<Listing>) => A
) =>
  Object.fromEntries(
    [...new Set(listings.map(keyOf))].flatMap((key) =>
      key === null ? [] : [[key, make(listings.filter((each) => keyOf(each) === key))]]
    )
  )

const region = (currency: "EUR" | "USD") => (listings: ReadonlyArray<Listing>) => ({
  currency,
  ...depth(listings, currency),
  byCondition: grouped(
    listings,
    ({ condition, graded }) => (graded === null ? condition : null),
    (some) => ({
      ...depth(some, currency),
      byLanguage: grouped(
        some,
        ({ language }) => language,
        (few) => depth(few, currency)
      )
    })
  )
})

const isAmerican = ({ seller }: Listing) => seller.country === "US" || seller.country === "CA"

/** The live block of each finish, counted by hand from what buyers see. Beyond the spec: section 7. */
export const countedBlocks = (listings: ReadonlyArray<Listing>): Blocks =>
  grouped(
    listings,
    ({ finish }) => finish,
    (some) => {
      const { low, ...totals } = depth(some, "EUR")
      const eu = some.filter((each) => !isAmerican(each))
      const na = some.filter(isAmerican)
      return {
        low: { amount: low, currency: "EUR" },
        ...totals,
        regions: {
          ...(eu.length === 0 ? {} : { eu: region("EUR")(eu) }),
          ...(na.length === 0 ? {} : { na: region("USD")(na) })
        }
      }
    }
  )

/** All listings of a product. */
export const listingsOfProduct = (productId: number) =>
  Effect.flatMap(clientOf(testKey), (api) => listingsOf({ api }, productId, { limit: 100 }))

/** A product as the wire has it, as far as its prices go. */
export interface Priced {
  readonly id: number
  readonly prices?: { readonly marketplace?: unknown }
  readonly pricesByFinish?: Readonly<Record<string, { readonly marketplace?: unknown }>>
}

/** The live blocks that a product shows, by finish. */
export const shownBlocks = ({ prices, pricesByFinish }: Priced): Blocks =>
  Object.fromEntries(
    Object.entries(pricesByFinish ?? { Standard: prices ?? {} }).flatMap(([finish, { marketplace }]) =>
      marketplace === undefined ? [] : [[finish, marketplace]]
    )
  )

export const productOf = (productId: number) =>
  Effect.map(ask(`/v1/products/${productId}`), ({ json }) => json as unknown as Priced)

/** The product's page, its prices and its search page say what a count over its listings says. */
export const checkProduct = Effect.fnUntraced(function* (productId: number) {
  const counted = countedBlocks(yield* listingsOfProduct(productId))
  assert.deepStrictEqual(shownBlocks(yield* productOf(productId)), counted, `product ${productId}`)
  const { json: prices } = yield* ask(`/v1/products/${productId}/prices`)
  assert.deepStrictEqual(shownBlocks(prices as unknown as Priced), counted, `prices of ${productId}`)
  return counted
})
