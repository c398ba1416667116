import { Context } from "effect"

/** A separate rate bucket, besides `global`. Beyond the spec: section 3. */
export interface OperationBucket {
  readonly name: string
  /** Requests in a window, which is also the burst. */
  readonly limit: number
  readonly windowSeconds: number
}

/** The bucket of the product search, which a night reads. */
export const catalogueSearch: OperationBucket = { name: "catalogue-search", limit: 60, windowSeconds: 60 }

/** The bucket of the price history, which backfills read. */
export const pricingHistory: OperationBucket = { name: "pricing-history", limit: 120, windowSeconds: 3600 }

/** The rate-limit bucket that an operation uses besides `global`, as an annotation of its endpoint. */
export class Bucket extends Context.Service<Bucket, OperationBucket>()("cardlake/contract/Bucket") {}
