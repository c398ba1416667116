import { pricingHistory } from "../contract/Bucket.ts"
import { type LearnedBucket, makeLearnedBucket } from "./LearnedBucket.ts"
import type { Asker, Moment, RateLimit } from "./RateLimit.ts"

/** Stands for every game. */
export const everyGame = ""

/** Never equal to {@link everyGame}, whatever the game is called. */
export const keyOf = (game: string | null): string => (game === null ? " " : ` ${game}`)

/** Windows that are longer than a minute, by the name of their bucket: a `Retry-After` may tell of one request alone. */
const documentedMinutes: ReadonlyMap<string, number> = new Map([
  [pricingHistory.name, pricingHistory.windowSeconds / 60]
])

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
}

/** `share` is the part of every bucket that is used. */
export const makeBuckets = (share: number): Buckets => {
  const known = new Map<string, LearnedBucket>()
  /** By operation: the bucket of its headers. By operation and game: those that refused it. */
  const ofHeaders = new Map<string, LearnedBucket>()
  const ofRefusals = new Map<string, Set<LearnedBucket>>()
  const global = new Set<LearnedBucket>()
  /** Of the latest headers: operations that have had none yet are likely to have the same. */
  let latest: LearnedBucket | undefined
  /** By name and limit: the games that a bucket refused. */
  const refused = new Map<string, Set<string | null>>()

  const bucketOf = (limit: number, scope: string, moment: Moment & { readonly minutes?: number }): LearnedBucket => {
    // A window that is known distinguishes it from another one of the same limit.
    const name = moment.minutes === undefined ? `${limit}${scope}` : `${limit} in ${moment.minutes} min`
    const bucket = known.get(name) ?? makeLearnedBucket(limit, { ...moment, share })
    known.set(name, bucket)
    return bucket
  }
  const scopeOf: Buckets["scopeOf"] = ({ game }, { bucket, limit }) => {
    const games = (refused.get(`${limit} ${bucket}`) ?? new Set()).add(game)
    refused.set(`${limit} ${bucket}`, games)
    return bucket === "global" || games.size > 1 || documentedMinutes.has(bucket) ? everyGame : keyOf(game)
  }
  return {
    of: ({ game, operation }) => {
      const own = ofHeaders.get(operation) ?? latest
      return new Set([
        ...(own === undefined ? [] : [own]),
        ...global,
        ...(ofRefusals.get(`${operation}${everyGame}`) ?? []),
        ...(ofRefusals.get(`${operation}${keyOf(game)}`) ?? [])
      ])
    },
    stated: (operation, limit, moment) => {
      const bucket = bucketOf(limit, everyGame, moment)
      ofHeaders.set(operation, bucket)
      latest = bucket
      return bucket
    },
    refusing: (asker, seen, moment) => {
      const scope = scopeOf(asker, seen)
      if (seen.limit === null) return null
      const minutes = documentedMinutes.get(seen.bucket)
      const bucket = bucketOf(seen.limit, scope, minutes === undefined ? moment : { ...moment, minutes })
      const name = `${asker.operation}${scope}`
      if (seen.bucket === "global") global.add(bucket)
      else ofRefusals.set(name, (ofRefusals.get(name) ?? new Set()).add(bucket))
      return bucket
    },
    scopeOf
  }
}
