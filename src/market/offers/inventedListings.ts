import { isDeepStrictEqual } from "node:util"
import { isPlainObject, type Json } from "../catalogue/StoredCatalogue.ts"
import { Condition } from "../contract/inventory/InventoryLine.ts"
import { convertCents } from "../state/State.ts"
import type { MarketCurrency } from "../contract/Money.ts"

export type Region = "eu" | "na"

export const regionCurrency: Readonly<Record<Region, MarketCurrency>> = { eu: "EUR", na: "USD" }

/** A listing's attributes apart from product and price. Graded copies have no condition. */
export interface Kind {
  readonly finish: string
  readonly region: Region
  readonly condition: Condition | null
  readonly language: string | null
  readonly isGraded: boolean
}

/** A listing that can be bought, with the fields that a live block counts. */
export interface Listing extends Kind {
  readonly currency: MarketCurrency
  readonly cents: number
  readonly quantity: number
}

type Listings = ReadonlyArray<Listing>

/** Sums units, capped at the largest exact integer. Spec: Limits, integer range. */
const sumUnits = (listings: Listings): number =>
  Math.min(
    Number.MAX_SAFE_INTEGER,
    listings.reduce((sum, { quantity }) => sum + quantity, 0)
  )

const findLowest = (listings: Listings, currency: MarketCurrency): number =>
  listings.reduce((low, each) => Math.min(low, convertCents(each.cents, each.currency, currency)), Infinity) / 100

const depth = (listings: Listings, currency: MarketCurrency) => ({
  low: findLowest(listings, currency),
  listingCount: listings.length,
  availableQuantity: sumUnits(listings)
})

/** Returns a bucket for each value that some listings have. */
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

/** Returns the live block of one finish, which has at least one listing. Beyond the spec: section 7. */
const buildBlock = (listings: Listings) => ({
  low: { amount: findLowest(listings, "EUR"), currency: "EUR" },
  listingCount: listings.length,
  availableQuantity: sumUnits(listings),
  regions: Object.fromEntries(
    (["eu", "na"] as const).flatMap((region) => {
      const some = listings.filter((listing) => listing.region === region)
      return some.length === 0 ? [] : [[region, regionBlock(some, region)]]
    })
  )
})

/** Returns the live block of each finish with listings. */
export const liveBlocks = (listings: Listings): ReadonlyMap<string, ReturnType<typeof buildBlock>> =>
  new Map([...Map.groupBy(listings, ({ finish }) => finish)].map(([finish, some]) => [finish, buildBlock(some)]))

/** Number of listings and units, with the lowest price `low` in cents. */
interface Depth {
  readonly low: number
  readonly count: number
  readonly quantity: number
}

/** Maximum number of invented listings per product, whatever a block claims. */
const maxListings = 10_000

const readDepth = (block: Json): Depth | undefined => {
  const { availableQuantity: quantity, listingCount: count, low } = block
  if (typeof low !== "number" || typeof count !== "number" || typeof quantity !== "number") return undefined
  const cents = Math.round(low * 100)
  const isCounted = Number.isSafeInteger(cents) && cents >= 0 && Number.isInteger(count) && Number.isInteger(quantity)
  return isCounted
    ? { low: cents, count: Math.min(count, maxListings), quantity: Math.max(count, quantity) }
    : undefined
}

interface Part {
  readonly word: string
  readonly block: Json
  readonly depth: Depth
}

/** Returns the buckets of a block by name; undefined if one has invalid numbers. */
const readParts = (blocks: unknown): ReadonlyArray<Part> | undefined => {
  if (!isPlainObject(blocks)) return blocks === undefined ? [] : undefined
  const parts: Array<Part> = []
  for (const [word, block] of Object.entries(blocks)) {
    const depth = isPlainObject(block) ? readDepth(block) : undefined
    if (depth === undefined || !isPlainObject(block) || depth.count < 1) return undefined
    parts.push({ word, block, depth })
  }
  return parts
}

/** Subtracts parts from their total; undefined if they do not add up. */
const subtractParts = ({ count, low, quantity }: Depth, parts: ReadonlyArray<Part>): Depth | undefined => {
  const rest = parts.reduce(
    (left, { depth }) => ({ low, count: left.count - depth.count, quantity: left.quantity - depth.quantity }),
    { low, count, quantity }
  )
  const least = Math.min(...parts.map(({ depth }) => depth.low))
  if (rest.count === 0) return rest.quantity === 0 && least === low ? rest : undefined
  return rest.count > 0 && rest.quantity >= rest.count && least >= low ? rest : undefined
}

/** Returns listings with distinct prices, so that one seller can have several. */
const listingsAt = ({ count, low, quantity }: Depth, kind: Kind): ReadonlyArray<Listing> =>
  Array.from({ length: count }, (_, at) => ({
    ...kind,
    currency: regionCurrency[kind.region],
    cents: low + at * Math.max(1, Math.round(low / 30)),
    quantity: Math.floor(quantity / count) + (at === 0 ? quantity % count : 0)
  }))

const isCondition = (word: string): word is Condition => Condition.literals.some((each) => each === word)

/**
 * Returns the listings of a region. Those outside all conditions are graded. If conditions do not add up, totals are
 * used.
 */
const inventRegion = (block: Json, usual: Kind, isCard: boolean): ReadonlyArray<Listing> => {
  const whole = readDepth(block)
  if (whole === undefined || whole.count < 1) return []
  const conditions = readParts(block["byCondition"])
  const rest = conditions === undefined ? undefined : subtractParts(whole, conditions)
  if (conditions === undefined || rest === undefined || !conditions.every(({ word }) => isCondition(word))) {
    return listingsAt(whole, usual)
  }
  const raw = conditions.flatMap(({ block: bucket, depth, word }) => {
    const kind = { ...usual, condition: isCondition(word) ? word : null }
    const languages = readParts(bucket["byLanguage"])
    const unspoken = languages === undefined ? undefined : subtractParts(depth, languages)
    if (languages === undefined || unspoken === undefined) return listingsAt(depth, kind)
    const spoken = languages.flatMap((each) => listingsAt(each.depth, { ...kind, language: each.word }))
    return spoken.concat(listingsAt(unspoken, { ...kind, language: null }))
  })
  return [...raw, ...listingsAt(rest, { ...usual, condition: null, isGraded: isCard })]
}

/** Returns a stored product's live blocks by finish. */
const storedBlocks = ({ prices, pricesByFinish }: Json): ReadonlyArray<readonly [finish: string, block: unknown]> =>
  Object.entries(isPlainObject(pricesByFinish) ? pricesByFinish : { Standard: prices }).flatMap(([finish, blocks]) =>
    isPlainObject(blocks) && blocks["marketplace"] !== undefined ? [[finish, blocks["marketplace"]]] : []
  )

/** Returns the regions of a live block. A block without regions is Europe's. */
const readRegions = (block: unknown): Json => {
  if (!isPlainObject(block)) return {}
  if (isPlainObject(block["regions"])) return block["regions"]
  return { eu: { ...block, low: isPlainObject(block["low"]) ? block["low"]["amount"] : undefined } }
}

/** Invents listings that reproduce the totals of a stored product's live blocks. */
export const inventedListings = (product: Json): ReadonlyArray<Listing> => {
  const isCard = product["productType"] === "card"
  const spoken: unknown = Array.isArray(product["languages"]) ? product["languages"][0] : undefined
  const language = typeof spoken === "string" ? spoken : isCard ? "en" : null
  return storedBlocks(product).flatMap(([finish, block]) => {
    const regions = readRegions(block)
    return (["eu", "na"] as const).flatMap((region: Region) => {
      const totals = regions[region]
      const usual: Kind = { finish, region, language, condition: isCard ? "NM" : null, isGraded: false }
      return isPlainObject(totals) ? inventRegion(totals, usual, isCard) : []
    })
  })
}

/** Counts the live blocks of a stored product, and those that its listings do not reproduce. */
export const checkBlocks = (product: Json): { readonly blocks: number; readonly contradicting: number } => {
  const stored = storedBlocks(product)
  const counted = liveBlocks(inventedListings(product))
  const wrong = stored.filter(([finish, block]) => !isDeepStrictEqual(counted.get(finish), block))
  return { blocks: stored.length, contradicting: wrong.length }
}
