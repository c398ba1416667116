import { type LearnedBucket, makeLearnedBucket } from "./LearnedBucket.ts"
import type { Moment } from "./RateLimit.ts"
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

/** The buckets of single operations: assumed as documented where headers show that there are limits, until a 429 tells. */
export interface OwnBuckets {
  readonly of: (operation: string) => ReadonlyArray<LearnedBucket>
  /** Whether a bucket of this name is the operation's own one. */
  readonly isOf: (operation: string, bucket: string) => boolean
  /** Headers of the operation stated a limit. Returns its own bucket if it is that one's, else null. */
  readonly stated: (operation: string, limit: number, moment: Moment) => LearnedBucket | null
  /** The operation's own bucket, which has refused it. */
  readonly refusing: (operation: string, limit: number, moment: Moment) => LearnedBucket
  /** What is known of an operation from before. */
  readonly recall: (operation: string, before: AskedBefore, moment: Pick<Moment, "minuteMillis">) => void
  /** What the service has said of an operation's own limit, lately or before; null = nothing. */
  readonly told: (operation: string) => OwnLimit | null
}

/** `share` is the part of them that is used. */
export const makeOwnBuckets = (share: number): OwnBuckets => {
  const known = new Map<string, LearnedBucket>()
  const told = new Map<string, OwnLimit>()
  const latest = new Map<string, number>()
  const earlier = new Map<string, ReadonlyArray<number>>()

  const take = (operation: string, limit: number, { minuteMillis }: Pick<Moment, "minuteMillis">): LearnedBucket => {
    const found = known.get(operation)
    if (found?.limit === limit) return found
    const minutes = (documentedBuckets.get(operation)?.windowSeconds ?? 60) / 60
    const sentMillis = earlier.get(operation) ?? []
    const bucket = makeLearnedBucket(limit, { name: `${operation} ${limit}`, minuteMillis, minutes, share, sentMillis })
    known.set(operation, bucket)
    return bucket
  }
  return {
    of: (operation) => {
      const bucket = known.get(operation)
      return bucket === undefined ? [] : [bucket]
    },
    isOf: (operation, bucket) => documentedBuckets.get(operation)?.name === bucket,
    stated: (operation, limit, moment) => {
      const documented = documentedBuckets.get(operation)
      if (documented === undefined) return null
      if (limit !== documented.limit) {
        latest.set(operation, limit)
        const before = told.get(operation)
        // An account with another limit has another one here, too.
        if (before !== undefined && before.stated !== null && before.stated !== limit) told.delete(operation)
        else if (before !== undefined) told.set(operation, { ...before, stated: limit })
      }
      const bucket = take(operation, told.get(operation)?.limit ?? assumedLimit(documented, limit), moment)
      return limit === documented.limit ? bucket : null
    },
    refusing: (operation, limit, moment) => {
      told.set(operation, { limit, stated: latest.get(operation) ?? null })
      return take(operation, limit, moment)
    },
    recall: (operation, { own, sentMillis }, moment) => {
      earlier.set(operation, sentMillis)
      if (own === null) return
      told.set(operation, own)
      take(operation, own.limit, moment)
    },
    told: (operation) => told.get(operation) ?? null
  }
}
