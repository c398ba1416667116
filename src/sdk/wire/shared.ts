// Generated from the contract by: node test/sdk/writeWire.ts

/** Rows of the file. */
export interface JobCounts {
  total: number
  succeeded: number
  failed: number
}

/** An amount in the currency's major unit, exact to the cent: 14.99 with USD is 14.99 US dollars. */
export interface Money {
  amount: number
  currency: MarketCurrency
}

/** ISO 4217. The marketplace sells in these. */
export type MarketCurrency = "USD" | "EUR" | "GBP" | "CAD" | "CHF"

/** The seller's own pairs, at most 50; the buyer never sees them. */
export type Metadata = Record<string, string>

/** `cancelled_...`, `resolved_...` and `completed` are final. */
export type OrderStatus = "pending_shipment" | "cancellation_requested" | "shipped" | "delivered" | "dispute_open" | "dispute_escalated" | "completed" | "cancelled_buyer" | "cancelled_seller" | "cancelled_auto" | "resolved_full_refund" | "resolved_partial_refund" | "resolved_no_refund" | "resolved_return" | "resolved_goodwill_refund"

/** ISO 3166-1 alpha-2. */
export type Country = string

/** `average` of 1 to 5, null without reviews; `count` of reviews. */
export interface Rating {
  average: number | null
  count: number
}

/** `pro`: a registered company; `individual`: a private person. */
export type SellerType = "pro" | "individual"

/** A card in a slab; null for raw cards and sealed products. */
export interface Graded {
  gradingService: string
  grade: string
  certification: string | null
}

/** Near Mint, Lightly Played, Moderately Played, Heavily Played, Damaged. */
export type Condition = "NM" | "LP" | "MP" | "HP" | "DMG"

/** `nextCursor` is null on the last page. */
export interface CursorPagination {
  nextCursor: string | null
}

/** Who sells. `shipping` is the price to the delivery country, null without one. */
export interface ListingSeller {
  id: string
  username: string
  country: Country
  type: SellerType
  rating: Rating
  shipping: Money | null
}

/** A picture of the very card; sizes in pixels. */
export interface Photo {
  url: string
  width: number
  height: number
}

export interface TagChange {
  set?: ReadonlyArray<string> | undefined
  add?: ReadonlyArray<string> | undefined
  remove?: ReadonlyArray<string> | undefined
}

/** A slab, graded by one of the companies that the marketplace takes. */
export interface GradedRequest {
  gradingService: "PSA" | "BGS" | "CGC" | "SGC" | "ACE" | "TAG" | "AGS" | "GMA" | "HGA" | "PCA" | "CCC"
  grade: string
  certification?: string | null | undefined
}

/** `set` the number of units, or `adjust` it by a number. */
export type QuantityChange = {
  set: number
} | {
  adjust: number
}

/** Any of the names (`or`) or all of them (`and`); null means a line without one. */
export interface NameFilter {
  op: "and" | "or"
  values: ReadonlyArray<string | null>
}

/** From `min` to `max`, both included; without one of them, the range is open there. */
export interface Range {
  min?: number | null | undefined
  max?: number | null | undefined
}

/** Only this game; `filters` by attribute. */
export interface GameFilter {
  game: string
  filters?: Record<string, AttributeFilter> | undefined
}

/** `{op, values}`, `{op, value}` with `=`, `>` or `<`, `{min, max}`, or `{value}`. */
export interface AttributeFilter {
  op?: "and" | "or" | "=" | ">" | "<" | undefined
  value?: string | number | boolean | null | undefined
  values?: ReadonlyArray<string | number | boolean | null> | undefined
  min?: number | null | undefined
  max?: number | null | undefined
}

export interface TypeFilter {
  op: "and" | "or"
  values: ReadonlyArray<"card" | "sealed">
}

export interface Deleted {
  deleted: boolean
}

/** `offset` and `limit` as asked for; `total` counts the filtered set; `hasMore`: there are items beyond this page. */
export interface OffsetPagination {
  offset: number
  limit: number
  total: number
  hasMore: boolean
}

/** A block is absent when its source has no price; never 0. */
export interface PriceBlocks {
  sourceEur?: SourcePrice | null
  sourceUsd?: SourcePrice | null
  marketplace?: MarketplacePrice | null
}

/** Live listings over all regions. `low` is the lowest price of all, converted to EUR. */
export interface MarketplacePrice {
  low: BlockMoney
  listingCount: number
  availableQuantity: number
  regions?: Record<string, RegionPrice> | null
}

/** Live listings of one region: `eu` in EUR, `na` in USD. A region without listings has no key. */
export interface RegionPrice {
  currency: string
  low: number
  listingCount: number
  availableQuantity: number
  byCondition?: Record<string, {
    low: number
    listingCount: number
    availableQuantity: number
    byLanguage?: Record<string, {
      low: number
      listingCount: number
      availableQuantity: number
    }> | null
  }> | null
}

/** An amount in a price block, major unit: 14.99 is 14.99 EUR. Up to four decimals. */
export interface BlockMoney {
  amount: number
  currency: string
}

/** What a price source says once a day, in `currency`, major unit; changes are in percent: 5 is +5 %. An absent figure is unknown. */
export interface SourcePrice {
  currency: string
  low?: number | null
  mid?: number | null
  high?: number | null
  marketValue?: number | null
  change24h?: number | null
  change7d?: number | null
  change30d?: number | null
  byCondition?: Record<string, {
    low?: number | null
    listingCount?: number | null
    availableQuantity?: number | null
    byLanguage?: Record<string, {
      low?: number | null
      listingCount?: number | null
      availableQuantity?: number | null
    }> | null
  }> | null
}
