// Generated from the contract by: node test/sdk/writeWire.ts
import type { Condition, CursorPagination, Money, PriceBlocks } from "./shared.ts"

/** In the order asked for; `product` is null for an unknown id. */
export interface Resolved {
  results: Array<{
    externalId: number
    product: ResolvedProduct | null
  }>
}

export interface ResolvedProduct {
  id: number
  name: string
  gameId: string
  expansionId: number | null
  finish: string
}

/** Ids of one price source to look up. */
export interface ResolveRequest {
  marketplace: "sourceEur" | "sourceUsd" | (string & {})
  ids: ReadonlyArray<number>
}

export interface RecentSalePage {
  data: Array<RecentSale>
  pagination: CursorPagination
}

/** A sale of the last 30 days; `priceEur` is by the rate of that day. */
export interface RecentSale {
  /** ISO 8601, UTC. */
  soldAt: string
  region: "eu" | "na"
  price: Money
  priceEur: Money
  quantity: number
  finish: string
  condition: Condition | null
  language: string
  graded: {
    gradingService: string | null
    grade: string
    certification: string | null
  } | null
}

/** The present prices of a product, by finish. */
export interface ProductPrices {
  productId: number
  pricesByFinish: Record<string, PriceBlocks>
}

/** Oldest day first; days without a snapshot are missing. */
export interface PriceHistory {
  productId: number
  /** `YYYY-MM-DD`. */
  from: string
  /** `YYYY-MM-DD`. */
  to: string
  data: Array<HistoryRow>
}

/** What one source said about one finish on one day, in the source's currency, major unit. */
export interface HistoryRow {
  /** `YYYY-MM-DD`. */
  date: string
  marketplace: "sourceEur" | "sourceUsd"
  finish: string
  low?: number
  mid?: number
  high?: number
  marketValue?: number
}

/** Daily prices of a product, oldest day first: what can be asked for. */
export interface PriceHistoryQuery {
  marketplace?: "sourceEur" | "sourceUsd" | (string & {}) | undefined
  finish?: string | undefined
  /** `YYYY-MM-DD`. */
  from?: string | undefined
  /** `YYYY-MM-DD`. */
  to?: string | undefined
}

/** Sales of a product in the last 30 days: what can be asked for. */
export interface RecentSalesQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  finish?: string | undefined
  condition?: Condition | undefined
  language?: string | undefined
}
