import { Effect, Schema } from "effect"
import type { Granted } from "../CallContext.ts"
import type { RateBucket } from "./RateBucket.ts"

/** What an answer has shown of a key's limits, so that others need not learn it again. */
export const LimitFact = Schema.Struct({
  /** By headers, by a 429, or that an answer stated nothing. */
  kind: Schema.Literals(["stated", "refused", "silent"]),
  operation: Schema.String,
  game: Schema.NullOr(Schema.String),
  bucket: Schema.String,
  limit: Schema.Int
})
export type LimitFact = typeof LimitFact.Type

/** What a fact is about: a later fact about the same replaces an earlier one. */
export const factKey = ({ bucket, game, kind, operation }: LimitFact) => JSON.stringify([kind, operation, game, bucket])

/** The budget could not be asked. */
export class BudgetUnasked extends Schema.TaggedError<BudgetUnasked>()("BudgetUnasked", {
  reason: Schema.String,
  /** Whether it was waited for long enough: nobody waits for it again. */
  isFinal: Schema.optionalKey(Schema.Boolean)
}) {
  override get message() {
    return `Workers share this API key, and this one got no turn to send a request: ${this.reason}`
  }
}

/** What a request needs of a store: a token of each of its limits. */
export interface TokenTurn {
  /** Whether the request has a token of every limit by now. */
  readonly isDue: () => boolean
  /** Uses them, right before the request is sent; false: a lease has ended meanwhile. */
  readonly use: () => boolean
  /** Asks for tokens; without any, returns how long to wait. */
  readonly obtain: Effect.Effect<number, BudgetUnasked>
  /** The request was answered or abandoned. */
  readonly end: () => void
}

/** Where the requests of a limiter have their tokens from. Each is one request of a limit. */
export interface TokenStore {
  readonly turn: (buckets: () => Iterable<RateBucket>) => TokenTurn
  readonly learned: (fact: LimitFact) => void
  /** An answer said how many requests of a bucket the service has counted. */
  readonly counted: (bucket: RateBucket, used: number, nowMillis: number) => void
  /** A 429: nobody may send for so long. Null: its limit is unknown. Others are told of it, and of what was learned, at once. */
  readonly hold: (bucket: RateBucket | null, waitMillis: number) => Effect.Effect<void>
  /** A request waited so long for its tokens. */
  readonly waited: (millis: number) => Effect.Effect<void>
  /** What was granted of a budget that workers share; null: nobody shares it. */
  readonly granted: () => Granted | null
}

/** The tokens of a program that shares its key with no worker: each request has its own at once. */
export const memoryTokens: TokenStore = {
  turn: () => ({ isDue: () => true, use: () => true, obtain: Effect.succeed(0), end: () => {} }),
  learned: () => {},
  counted: (bucket, used, nowMillis) => bucket.counted(used, nowMillis),
  hold: () => Effect.void,
  waited: () => Effect.void,
  granted: () => null
}

/** What a worker wants of a limit, and what it knows of it. */
export interface AskedLimit {
  readonly id: string
  readonly limit: number
  /** As many may be sent in a window; at most `limit`. */
  readonly room: number
  readonly windowMillis: number
  /** How many tokens it wants. */
  readonly want: number
  /** Requests that the service counted, as its latest answer said; null: none did since the last lease. */
  readonly used: number | null
  /** Nobody may send for so long. */
  readonly holdMillis: number
  /** Tokens that the service may have seen only now, by the slot of their lease. */
  readonly late: ReadonlyMap<number, number>
}

export interface AskedBudget {
  readonly limits: ReadonlyArray<AskedLimit>
  readonly facts: ReadonlyArray<LimitFact>
  /** How long tokens may be used. */
  readonly leaseMillis: number
  /** How long a request travels at most without being reported as late. */
  readonly travelMillis: number
  /** How long a minute of a rate limit is. */
  readonly minuteMillis: number
}

/** What is leased of a limit. */
export interface LeasedLimit {
  readonly tokens: number
  /** Where the budget counts them, and where it counts those that were late. */
  readonly slot: number
  readonly lateSlot: number
  /** Without tokens: when some may be free. */
  readonly waitMillis: number
}

export interface Lease {
  readonly limits: ReadonlyMap<string, LeasedLimit>
  /** By `monotonicMillis` of before it was asked for. */
  readonly askedMillis: number
  readonly facts: ReadonlyArray<LimitFact>
}

/** What all workers that share a key may ask of it together. A token that was granted counts as spent. */
export interface KeyBudget {
  /** Tells keys apart, and nothing else. */
  readonly label: string
  readonly lease: (asked: AskedBudget) => Effect.Effect<Lease, BudgetUnasked>
}

/** Opens the budget of a key that workers share. */
export type KeyBudgets = (key: string) => Effect.Effect<KeyBudget>
