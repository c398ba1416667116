import { pricingHistory } from "../../contract/Bucket.ts"
import { RateBucket } from "./RateBucket.ts"
import type { Asker, RateLimit } from "./RateLimit.ts"

/** What rate buckets know the price history by. */
export const historyOperation = "price-history"

/** Limits are raised by account: documented ones are those of an account with so many requests a minute. */
const documentedPerMinute = 60

/** Parts of the marketplace's limits, each above 0 and at most 1. */
export interface BudgetShare {
  /** Of limits that nights need, too. */
  readonly common: number
  /** Of a limit that applies to one operation alone, which no night asks for. */
  readonly own: number
}

/** What a service said of the price history's own limit. */
interface OwnLimit {
  readonly limit: number
  /** What headers stated then: if they state something else later, the limit may be another one, too. Null: nothing. */
  readonly stated: number | null
}

/** The scope of what applies to every game. */
const everyGame = ""

/** The scope of what applies to one game; never equal to {@link everyGame}, whatever the game is called. */
const scopeOfGame = (game: string | null): string => (game === null ? " " : ` ${game}`)

/**
 * The rate buckets of a service, as its answers show them. Headers do not name theirs, so its limit identifies it.
 * The price history's own bucket counts for longer than a minute, which a `Retry-After` need not tell: it is assumed as
 * documented where headers show that there are limits, until a 429 tells.
 */
export class RateBuckets {
  readonly #share: BudgetShare
  readonly #minuteMillis: number
  readonly #known = new Map<string, RateBucket>()
  /** By operation: the bucket of its headers. */
  readonly #ofHeaders = new Map<string, RateBucket>()
  /** The bucket of the latest headers: operations that have had none yet are likely to have the same. */
  #latest: RateBucket | null = null
  /** By operation and scope: the buckets that refused it. Those that apply to every operation are under "". */
  readonly #ofRefusals = new Map<string, Set<RateBucket>>()
  /** By name and limit: the games that a bucket refused. */
  readonly #refusedGames = new Map<string, Set<string | null>>()
  /** For each scope without a known limit: the time until which its requests wait. */
  readonly #pausedUntil = new Map<string, number>()
  #history: RateBucket | null = null
  /** When the price history was asked for before this program began. */
  #historySentMillis: ReadonlyArray<number> = []
  /** The limit that headers of the price history stated last, unless it was the documented one. */
  #historyStated: number | null = null
  /** What the service has said of the price history's own limit, lately or before; null: nothing. */
  historyTold: OwnLimit | null = null

  /** `share` is the part of every bucket that is used. */
  constructor(share: BudgetShare, minuteMillis: number) {
    this.#share = share
    this.#minuteMillis = minuteMillis
  }

  /** The buckets that apply to a request. */
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
      this.historyTold = { limit: seen.limit, stated: this.#historyStated }
      return this.#historyOf(seen.limit)
    }
    const bucket = this.#bucketOf(seen.limit, scope)
    const name = seen.bucket === "global" ? "" : `${asker.operation}${scope}`
    this.#ofRefusals.set(name, (this.#ofRefusals.get(name) ?? new Set()).add(bucket))
    return bucket
  }

  /** Whatever a refusal applies to waits until this time. */
  pause(asker: Asker, seen: Pick<RateLimit, "bucket" | "limit">, untilMillis: number): void {
    const scope = this.#scopeOf(asker, seen)
    this.#pausedUntil.set(scope, Math.max(this.#pausedUntil.get(scope) ?? -Infinity, untilMillis))
  }

  pausedUntil({ game }: Asker): number {
    return Math.max(...[everyGame, scopeOfGame(game)].map((scope) => this.#pausedUntil.get(scope) ?? -Infinity))
  }

  /** Which games a refusal applies to: its own, or all if its bucket is `global` or has refused another game too. */
  #scopeOf(asker: Asker, seen: Pick<RateLimit, "bucket" | "limit">): string {
    const name = `${seen.limit} ${seen.bucket}`
    const games = (this.#refusedGames.get(name) ?? new Set()).add(asker.game)
    this.#refusedGames.set(name, games)
    return seen.bucket === "global" || games.size > 1 || isHistory(asker, seen) ? everyGame : scopeOfGame(asker.game)
  }

  /** Takes over what is known of the price history from before this program began. */
  recallHistory(told: OwnLimit | null, sentMillis: ReadonlyArray<number>): void {
    this.#historySentMillis = sentMillis
    if (told === null) return
    this.historyTold = told
    this.#historyOf(told.limit)
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

  /** Headers of the price history stated a limit. Returns its own bucket if the limit is that one's, else null. */
  #statedForHistory(limit: number): RateBucket | null {
    const documented = pricingHistory.limit
    if (limit === documented) return this.#historyOf(this.historyTold?.limit ?? documented)
    this.#historyStated = limit
    const told = this.historyTold
    // An account with another limit has another one here, too.
    const isOther = told !== null && told.stated !== null && told.stated !== limit
    this.historyTold = told === null || isOther ? null : { ...told, stated: limit }
    this.#historyOf(this.historyTold?.limit ?? Math.max(1, Math.round((documented * limit) / documentedPerMinute)))
    return null
  }
}

const isHistory = ({ operation }: Asker, { bucket }: Pick<RateLimit, "bucket">): boolean =>
  operation === historyOperation && bucket === pricingHistory.name
