import { Effect, Schema } from "effect"
import type { Granted } from "../CallContext.ts"
import type { RateBucket } from "./RateBucket.ts"

/** A key's limit as an answer showed it, so that other workers need not learn it. */
export const LimitFact = Schema.Struct({
  /** The source: headers, a 429, or an answer that stated no limit. */
  kind: Schema.Literals(["stated", "refused", "silent"]),
  operation: Schema.String,
  game: Schema.NullOr(Schema.String),
  bucket: Schema.String,
  limit: Schema.Int
})
export type LimitFact = typeof LimitFact.Type

/** Returns the subject of a fact. A later fact with the same subject replaces the earlier one. */
export const factKey = ({ bucket, game, kind, operation }: LimitFact) => JSON.stringify([kind, operation, game, bucket])

/** The shared budget is unreachable. */
export class BudgetUnasked extends Schema.TaggedError<BudgetUnasked>()("BudgetUnasked", {
  reason: Schema.String,
  /** True if the retries have ended, so callers must not retry. */
  isFinal: Schema.optionalKey(Schema.Boolean)
}) {
  override get message() {
    return `Workers share this API key, and this one got no turn to send a request: ${this.reason}`
  }
}

/** The tokens of one request, one for each of its limits. */
export interface TokenTurn {
  /** True if the request has a token of every limit. */
  readonly isDue: () => boolean
  /** Uses the tokens immediately before the request is sent; false if a lease has ended in between. */
  readonly use: () => boolean
  /** Requests tokens. If there are none, returns how long to wait. */
  readonly obtain: Effect.Effect<number, BudgetUnasked>
  /** Called when the request was answered or abandoned. */
  readonly end: () => void
}

/** The source of a limiter's tokens. A token permits one request of a limit. */
export interface TokenStore {
  readonly turn: (buckets: () => Iterable<RateBucket>) => TokenTurn
  readonly learned: (fact: LimitFact) => void
  /** Records the number of requests of a bucket that the service has counted. */
  readonly counted: (bucket: RateBucket, used: number, nowMillis: number) => void
  /** Blocks all requests after a 429, and informs other workers. The bucket is null if its limit is unknown. */
  readonly hold: (bucket: RateBucket | null, waitMillis: number) => Effect.Effect<void>
  /** Called after a request waited for its tokens. */
  readonly waited: (millis: number) => Effect.Effect<void>
  /** Returns the grants of a shared budget; null if none is shared. */
  readonly granted: () => Granted | null
}

/** The tokens of a program that shares its key with no worker: each request gets one immediately. */
export const memoryTokens: TokenStore = {
  turn: () => ({ isDue: () => true, use: () => true, obtain: Effect.succeed(0), end: () => {} }),
  learned: () => {},
  counted: (bucket, used, nowMillis) => bucket.counted(used, nowMillis),
  hold: () => Effect.void,
  waited: () => Effect.void,
  granted: () => null
}

/** A worker's request for tokens of a limit, with its knowledge of that limit. */
export interface LimitRequest {
  readonly id: string
  readonly limit: number
  readonly room: number
  readonly windowMillis: number
  readonly want: number
  /** The number of requests in the service's latest count; null if there is none since the last lease. */
  readonly used: number | null
  /** The time during which no worker may send. */
  readonly holdMillis: number
  /** Tokens that may have reached the service late, by the slot of their lease. */
  readonly late: ReadonlyMap<number, number>
}

export interface BudgetRequest {
  readonly limits: ReadonlyArray<LimitRequest>
  readonly facts: ReadonlyArray<LimitFact>
  readonly leaseMillis: number
  /** The maximum travel time of a request that is not reported as late. */
  readonly travelMillis: number
  readonly minuteMillis: number
}

export interface LeasedLimit {
  readonly tokens: number
  /** The time slot in which the budget counts these tokens and the late ones. */
  readonly slot: number
  readonly lateSlot: number
  /** The time until tokens may be available, if there are none. */
  readonly waitMillis: number
}

export interface Lease {
  readonly limits: ReadonlyMap<string, LeasedLimit>
  /** The time before the request, by `monotonicMillis`. */
  readonly sentMillis: number
  readonly facts: ReadonlyArray<LimitFact>
}

/** The shared limits of all workers with the same key. A granted token counts as spent. */
export interface KeyBudget {
  /** Distinguishes keys and does not reveal them. */
  readonly label: string
  /** Reads the facts that other workers know, before the first lease. */
  readonly facts: Effect.Effect<ReadonlyArray<LimitFact>, BudgetUnasked>
  readonly lease: (request: BudgetRequest) => Effect.Effect<Lease, BudgetUnasked>
}

/** Opens the budget that workers with the same key share. */
export type KeyBudgets = (key: string) => Effect.Effect<KeyBudget>
