import { type Effect, Schema } from "effect"

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

/** What a worker wants of a limit, and what it knows of it. */
export interface AskedLimit {
  readonly id: string
  readonly limit: number
  /** As many may be sent in a window; at most `limit`. */
  readonly room: number
  readonly windowMillis: number
  /** Tokens: each is one request. */
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
  /** By `performance.now()` of before it was asked for. */
  readonly askedMillis: number
  readonly facts: ReadonlyArray<LimitFact>
}

/** The budget could not be asked. */
export class BudgetUnasked extends Schema.TaggedError<BudgetUnasked>()("BudgetUnasked", {
  reason: Schema.String,
  /** Whether it was waited for long enough: nobody waits for it again. */
  isFinal: Schema.optionalKey(Schema.Boolean)
}) {
  override get message() {
    return `Nothing may be asked with this API key without its turn among the workers that share it: ${this.reason}`
  }
}

/** What all workers that share a key may ask of it together. A token that was granted counts as spent. */
export interface KeyBudget {
  /** Tells keys apart, and nothing else. */
  readonly label: string
  readonly lease: (asked: AskedBudget) => Effect.Effect<Lease, BudgetUnasked>
}

/** Opens the budget of a key that workers share. */
export type KeyBudgets = (key: string) => Effect.Effect<KeyBudget>

const keyOf = ({ bucket, game, kind, operation }: LimitFact) => JSON.stringify([kind, operation, game, bucket])

/** What workers know of a key's limits. `apply` makes use of what others have learned. */
export const makeKnownFacts = (apply: (fact: LimitFact) => void) => {
  const known = new Map<string, LimitFact>()
  const news = new Set<string>()
  return {
    isEmpty: () => known.size === 0,
    /** An answer to this worker has shown it. */
    learned: (fact: LimitFact) => {
      const key = keyOf(fact)
      if (known.get(key)?.limit === fact.limit) return
      known.set(key, fact)
      news.add(key)
    },
    /** What the others do not know yet. */
    news: (): ReadonlyArray<LimitFact> => [...news].flatMap((key) => known.get(key) ?? []),
    /** What all of them know, once they were told. */
    heard: (all: ReadonlyArray<LimitFact>, told: ReadonlyArray<LimitFact>) => {
      for (const fact of told) if (known.get(keyOf(fact)) === fact) news.delete(keyOf(fact))
      for (const fact of all) {
        const key = keyOf(fact)
        if (news.has(key) || known.get(key)?.limit === fact.limit) continue
        known.set(key, fact)
        apply(fact)
      }
      const theirs = new Set(all.map(keyOf))
      for (const key of known.keys()) if (!theirs.has(key)) news.add(key)
    }
  }
}
