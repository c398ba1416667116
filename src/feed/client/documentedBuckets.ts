import { type OperationBucket, pricingHistory } from "../contract/Bucket.ts"

/** What rate buckets know the price history by. */
export const historyOperation = "price-history"

/** Operations with a documented bucket that counts for longer than a minute, which a `Retry-After` need not tell. */
export const documentedBuckets: ReadonlyMap<string, OperationBucket> = new Map([[historyOperation, pricingHistory]])

/** Limits are raised by account: documented ones are those of an account with so many requests a minute. */
const documentedPerMinute = 60

/** What to assume of an operation's own limit where headers state one, which may be this very limit. */
export const assumedLimit = ({ limit }: OperationBucket, stated: number): number =>
  stated === limit ? limit : Math.max(1, Math.round((limit * stated) / documentedPerMinute))

/** What a service said of an operation's own limit. */
export interface OwnLimit {
  readonly limit: number
  /** What headers stated then: if they state something else later, the limit may be another one, too. Null: nothing. */
  readonly stated: number | null
}

/** What is known of an operation from before this program began. */
export interface AskedBefore {
  readonly own: OwnLimit | null
  /** When it was asked for. */
  readonly sentMillis: ReadonlyArray<number>
}
