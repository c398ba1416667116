import { type LearnedBucket, makeLearnedBucket } from "./LearnedBucket.ts"
import { makeOwnBuckets, type OwnBuckets } from "./OwnBuckets.ts"
import type { Asker, Moment, RateLimit } from "./RateLimit.ts"

/** Parts of the marketplace's limits, each above 0 and at most 1. */
export interface BudgetShare {
  /** Of limits that nights need, too. */
  readonly common: number
  /** Of a limit that applies to one operation alone, which no night asks for. */
  readonly own: number
}

/** Stands for every game. */
export const everyGame = ""

/** Never equal to {@link everyGame}, whatever the game is called. */
export const keyOf = (game: string | null): string => (game === null ? " " : ` ${game}`)

/** The rate buckets of a service, as its answers show them. Headers do not name theirs, so its limit identifies it. */
export interface Buckets {
  /** Those that apply to a request. */
  readonly of: (asker: Asker) => ReadonlySet<LearnedBucket>
  /** The bucket that headers state for an operation. */
  readonly stated: (operation: string, limit: number, moment: Moment) => LearnedBucket
  /** The bucket that refused a request; null if its limit is unknown. */
  readonly refusing: (asker: Asker, seen: RateLimit, moment: Moment) => LearnedBucket | null
  /** Which games a refusal applies to: its own, or all. */
  readonly scopeOf: (asker: Asker, seen: Pick<RateLimit, "bucket" | "limit">) => string
  /** Those of single operations. */
  readonly own: OwnBuckets
}

/** `share` is the part of every bucket that is used. */
export const makeBuckets = (share: BudgetShare): Buckets => {
  const known = new Map<string, LearnedBucket>()
  const own = makeOwnBuckets(share.own)
  /** By operation: the bucket of its headers. By operation and game: those that refused it. */
  const ofHeaders = new Map<string, LearnedBucket>()
  const ofRefusals = new Map<string, Set<LearnedBucket>>()
  const global = new Set<LearnedBucket>()
  /** Of the latest headers: operations that have had none yet are likely to have the same. */
  let latest: LearnedBucket | undefined
  /** By name and limit: the games that a bucket refused. */
  const refused = new Map<string, Set<string | null>>()

  const bucketOf = (limit: number, scope: string, { minuteMillis }: Moment): LearnedBucket => {
    const bucket =
      known.get(`${limit}${scope}`) ??
      makeLearnedBucket(limit, { name: `${limit}${scope}`, minuteMillis, share: share.common })
    known.set(`${limit}${scope}`, bucket)
    return bucket
  }
  const scopeOf: Buckets["scopeOf"] = ({ game, operation }, { bucket, limit }) => {
    const games = (refused.get(`${limit} ${bucket}`) ?? new Set()).add(game)
    refused.set(`${limit} ${bucket}`, games)
    return bucket === "global" || games.size > 1 || own.isOf(operation, bucket) ? everyGame : keyOf(game)
  }
  return {
    of: ({ game, operation }) => {
      const stated = ofHeaders.get(operation) ?? latest
      return new Set([
        ...(stated === undefined ? [] : [stated]),
        ...own.of(operation),
        ...global,
        ...(ofRefusals.get(`${operation}${everyGame}`) ?? []),
        ...(ofRefusals.get(`${operation}${keyOf(game)}`) ?? [])
      ])
    },
    stated: (operation, limit, moment) => {
      const bucket = own.stated(operation, limit, moment) ?? bucketOf(limit, everyGame, moment)
      ofHeaders.set(operation, bucket)
      latest = bucket
      return bucket
    },
    refusing: (asker, seen, moment) => {
      const scope = scopeOf(asker, seen)
      if (seen.limit === null) return null
      if (own.isOf(asker.operation, seen.bucket)) return own.refusing(asker.operation, seen.limit, moment)
      const bucket = bucketOf(seen.limit, scope, moment)
      const name = `${asker.operation}${scope}`
      if (seen.bucket === "global") global.add(bucket)
      else ofRefusals.set(name, (ofRefusals.get(name) ?? new Set()).add(bucket))
      return bucket
    },
    scopeOf,
    own
  }
}
