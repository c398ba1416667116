import { pricingHistory } from "../../contract/Bucket.ts"
import { RateBucket } from "./RateBucket.ts"
import type { Asker, RateLimit } from "./RateLimit.ts"

export const historyOperation = "price-history"

/** The documented limits are those of an account with this many requests a minute. Others have proportional ones. */
const documentedPerMinute = 60

/** Parts of the marketplace's limits, each above 0 and at most 1. */
export interface BudgetShare {
  /** The part of limits that nights use as well. */
  readonly common: number
  /** The part of a limit of one operation that no night uses. */
  readonly own: number
}

/** The stated limit of the price history's bucket. */
interface OwnLimit {
  readonly limit: number
  /** The limit in headers at that time. If headers change, this limit may change as well. Null if there was none. */
  readonly stated: number | null
}

/** The scope of limits for every game. */
const everyGame = ""

/** Returns the scope of limits for one game. It never equals {@link everyGame}, whatever the game's id. */
const scopeOfGame = (game: string | null): string => (game === null ? " " : ` ${game}`)

/**
 * The rate buckets of a service, learned from its answers. Headers do not name their bucket, so its limit identifies
 * it. The price history has a bucket with a window above a minute, which a `Retry-After` may not reveal. If headers
 * show limits, the documented bucket is assumed until a 429.
 */
export class RateBuckets {
  readonly #share: BudgetShare
  readonly #minuteMillis: number
  readonly #known = new Map<string, RateBucket>()
  /** The bucket of the latest headers, by operation. */
  readonly #ofHeaders = new Map<string, RateBucket>()
  /** The bucket of the latest headers, which is likely to apply to operations without headers, too. */
  #latest: RateBucket | null = null
  /** The buckets that refused requests, by operation and scope. Those for every operation are under "". */
  readonly #ofRefusals = new Map<string, Set<RateBucket>>()
  /** The games that a bucket refused, by its name and limit. */
  readonly #refusedGames = new Map<string, Set<string | null>>()
  /** For each scope without a known limit: the time until which its requests wait. */
  readonly #pausedUntil = new Map<string, number>()
  #history: RateBucket | null = null
  /** The times of requests for the price history before this program began. */
  #historySentMillis: ReadonlyArray<number> = []
  /** The last limit in headers of the price history, unless it is the documented one. */
  #historyStated: number | null = null
  /** The stated limit of the price history, from this run or an earlier one; null if there is none. */
  learnedHistory: OwnLimit | null = null

  constructor(share: BudgetShare, minuteMillis: number) {
    this.#share = share
    this.#minuteMillis = minuteMillis
  }

  /** Returns the buckets that apply to a request. */
  of({ game, operation }: Asker): ReadonlySet<RateBucket> {
    const own = operation === historyOperation ? this.#history : null
    const stated = [this.#ofHeaders.get(operation) ?? this.#latest, own].filter((bucket) => bucket !== null)
    const refusing = ["", `${operation}${everyGame}`, `${operation}${scopeOfGame(game)}`].flatMap((name) =>
      Array.from(this.#ofRefusals.get(name) ?? [])
    )
    return new Set([...stated, ...refusing])
  }

  /** Returns the bucket that headers state for an operation. */
  stated(operation: string, limit: number): RateBucket {
    const own = operation === historyOperation ? this.#statedForHistory(limit) : null
    const bucket = own ?? this.#bucketOf(limit, everyGame)
    this.#ofHeaders.set(operation, bucket)
    this.#latest = bucket
    return bucket
  }

  /** Returns the bucket that refused a request; null if its limit is unknown. */
  refusing(asker: Asker, seen: RateLimit): RateBucket | null {
    const scope = this.#scopeOf(asker, seen)
    if (seen.limit === null) return null
    if (isHistory(asker, seen)) {
      this.learnedHistory = { limit: seen.limit, stated: this.#historyStated }
      return this.#historyOf(seen.limit)
    }
    const bucket = this.#bucketOf(seen.limit, scope)
    const name = seen.bucket === "global" ? "" : `${asker.operation}${scope}`
    this.#ofRefusals.set(name, (this.#ofRefusals.get(name) ?? new Set()).add(bucket))
    return bucket
  }

  pause(asker: Asker, seen: Pick<RateLimit, "bucket" | "limit">, untilMillis: number): void {
    const scope = this.#scopeOf(asker, seen)
    this.#pausedUntil.set(scope, Math.max(this.#pausedUntil.get(scope) ?? -Infinity, untilMillis))
  }

  pausedUntil({ game }: Asker): number {
    return Math.max(...[everyGame, scopeOfGame(game)].map((scope) => this.#pausedUntil.get(scope) ?? -Infinity))
  }

  /** Returns the scope of a refusal: its game, or all games if its bucket is `global` or has refused another game. */
  #scopeOf(asker: Asker, seen: Pick<RateLimit, "bucket" | "limit">): string {
    const name = `${seen.limit} ${seen.bucket}`
    const games = (this.#refusedGames.get(name) ?? new Set()).add(asker.game)
    this.#refusedGames.set(name, games)
    return seen.bucket === "global" || games.size > 1 || isHistory(asker, seen) ? everyGame : scopeOfGame(asker.game)
  }

  /** Restores the state of the price history from earlier runs. */
  recallHistory(learned: OwnLimit | null, sentMillis: ReadonlyArray<number>): void {
    this.#historySentMillis = sentMillis
    if (learned === null) return
    this.learnedHistory = learned
    this.#historyOf(learned.limit)
  }

  #bucketOf(limit: number, scope: string): RateBucket {
    const name = `${limit}${scope}`
    const minuteMillis = this.#minuteMillis
    const share = this.#share.common
    const bucket =
      this.#known.get(name) ??
      new RateBucket({ name, limit, share, minuteMillis, windowMillis: minuteMillis, sentMillis: [] })
    this.#known.set(name, bucket)
    return bucket
  }

  #historyOf(limit: number): RateBucket {
    if (this.#history?.pace.limit === limit) return this.#history
    this.#history = new RateBucket({
      name: `${historyOperation} ${limit}`,
      limit,
      share: this.#share.own,
      minuteMillis: this.#minuteMillis,
      windowMillis: (pricingHistory.windowSeconds / 60) * this.#minuteMillis,
      sentMillis: this.#historySentMillis
    })
    return this.#history
  }

  /** Handles a limit in headers of the price history. Returns its separate bucket if the limit matches, else null. */
  #statedForHistory(limit: number): RateBucket | null {
    const documented = pricingHistory.limit
    if (limit === documented) return this.#historyOf(this.learnedHistory?.limit ?? documented)
    this.#historyStated = limit
    const learned = this.learnedHistory
    // If the account's limit has changed, this limit has changed as well.
    const isOther = learned !== null && learned.stated !== null && learned.stated !== limit
    this.learnedHistory = learned === null || isOther ? null : { ...learned, stated: limit }
    this.#historyOf(this.learnedHistory?.limit ?? Math.max(1, Math.round((documented * limit) / documentedPerMinute)))
    return null
  }
}

const isHistory = ({ operation }: Asker, { bucket }: Pick<RateLimit, "bucket">): boolean =>
  operation === historyOperation && bucket === pricingHistory.name
