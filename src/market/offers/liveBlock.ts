import { convertCents } from "../money/exchange.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import type { Condition } from "../contract/inventory/InventoryLine.ts"

/** The region of a listing is that of its seller. */
export type Region = "eu" | "na"

export const regionCurrency: Readonly<Record<Region, MarketCurrency>> = { eu: "EUR", na: "USD" }

/** What a listing is besides its product and price; graded copies have no condition. */
export interface Kind {
  readonly finish: string
  readonly region: Region
  readonly condition: Condition | null
  readonly language: string | null
  readonly isGraded: boolean
}

/** A listing that can be bought, as far as the live block counts it. */
export interface Listing extends Kind {
  readonly currency: MarketCurrency
  readonly cents: number
  readonly quantity: number
}

type Listings = ReadonlyArray<Listing>

/** A sum beyond what a number carries exactly is cut. Spec: Limits, integer range. */
const unitsOf = (listings: Listings): number =>
  Math.min(
    Number.MAX_SAFE_INTEGER,
    listings.reduce((sum, { quantity }) => sum + quantity, 0)
  )

const lowOf = (listings: Listings, currency: MarketCurrency): number =>
  listings.reduce((low, each) => Math.min(low, convertCents(each.cents, each.currency, currency)), Infinity) / 100

const depth = (listings: Listings, currency: MarketCurrency) => ({
  low: lowOf(listings, currency),
  listingCount: listings.length,
  availableQuantity: unitsOf(listings)
})

/** A bucket for each word that some of the listings have. */
const buckets = (
  listings: Listings,
  wordOf: (listing: Listing) => string | null,
  bucketOf: (listings: Listings) => object
): Readonly<Record<string, object>> =>
  Object.fromEntries(
    [...Map.groupBy(listings, wordOf)].flatMap(([word, some]) => (word === null ? [] : [[word, bucketOf(some)]]))
  )

const regionBlock = (listings: Listings, region: Region) => {
  const currency = regionCurrency[region]
  const language = ({ language }: Listing) => language
  return {
    currency,
    ...depth(listings, currency),
    byCondition: buckets(
      listings,
      ({ condition, isGraded }) => (isGraded ? null : condition),
      (some) => ({ ...depth(some, currency), byLanguage: buckets(some, language, (few) => depth(few, currency)) })
    )
  }
}

/** What the listings of one finish come to; there is at least one. Beyond the spec: section 7. */
const blockOf = (listings: Listings) => ({
  low: { amount: lowOf(listings, "EUR"), currency: "EUR" },
  listingCount: listings.length,
  availableQuantity: unitsOf(listings),
  regions: Object.fromEntries(
    (["eu", "na"] as const).flatMap((region) => {
      const some = listings.filter((listing) => listing.region === region)
      return some.length === 0 ? [] : [[region, regionBlock(some, region)]]
    })
  )
})

/** The live block of each finish of which something is for sale. */
export const liveBlocks = (listings: Listings): ReadonlyMap<string, ReturnType<typeof blockOf>> =>
  new Map([...Map.groupBy(listings, ({ finish }) => finish)].map(([finish, some]) => [finish, blockOf(some)]))
