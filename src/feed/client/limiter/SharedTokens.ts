import { Effect, Random, Schedule, Semaphore } from "effect"
import { monotonicMillis } from "../../disk/monotonicMillis.ts"
import { CallContext, type Granted, reportWait } from "../CallContext.ts"
import { LeasedTokens, type Limited } from "./LeasedTokens.ts"
import type { RateBucket } from "./RateBucket.ts"
import type { RateBuckets } from "./RateBuckets.ts"
import {
  type BudgetUnasked,
  factKey,
  type KeyBudget,
  type LimitFact,
  type TokenStore,
  type TokenTurn
} from "./TokenStore.ts"

/** If the wall clock is this far ahead, the machine slept or its clock was set. */
const jumpMillis = 1000

/** Returns a monotonic clock that also advances while the machine sleeps, when the monotonic clock stops. */
const makeElapsed = (wallMillis: () => number) => {
  let monotonic = monotonicMillis()
  let wall = wallMillis()
  let slept = 0
  return (): number => {
    const now = monotonicMillis()
    const wallNow = wallMillis()
    const ahead = wallNow - wall - (now - monotonic)
    if (ahead > jumpMillis) slept += ahead
    wall = wallNow
    monotonic = now
    return now + slept
  }
}

/** The known facts about a key's limits. Facts of other workers are applied to the buckets of this one. */
const makeKnownFacts = (buckets: RateBuckets) => {
  const known = new Map<string, LimitFact>()
  const news = new Set<string>()
  const apply = ({ bucket, game, kind, limit, operation }: LimitFact) => {
    if (kind === "stated") buckets.stated(operation, limit)
    if (kind === "refused") buckets.refusing({ operation, game }, { bucket, limit, remaining: 0 })
  }
  return {
    isEmpty: () => known.size === 0,
    /** Records a fact from an answer to this worker. */
    learned: (fact: LimitFact) => {
      const key = factKey(fact)
      if (known.get(key)?.limit === fact.limit) return
      known.set(key, fact)
      news.add(key)
    },
    /** Returns the facts that other workers do not know yet. */
    news: (): ReadonlyArray<LimitFact> => [...news].flatMap((key) => known.get(key) ?? []),
    /** Updates the facts after the budget received `reported` and returned `all`. */
    heard: (all: ReadonlyArray<LimitFact>, reported: ReadonlyArray<LimitFact>) => {
      for (const fact of reported) if (known.get(factKey(fact)) === fact) news.delete(factKey(fact))
      for (const fact of all) {
        const key = factKey(fact)
        if (news.has(key) || known.get(key)?.limit === fact.limit) continue
        known.set(key, fact)
        apply(fact)
      }
      const theirs = new Set(all.map(factKey))
      for (const key of known.keys()) if (!theirs.has(key)) news.add(key)
    }
  }
}

/** A key's budget, and the wall clock of this worker. */
export interface SharedBudget {
  readonly budget: KeyBudget
  readonly wallMillis: () => number
}

/** The duration of a lease, and the maximum travel time of a request, as a part of a minute. */
const leaseShare = 1 / 20
const travelShare = 1 / 30
/** The factor by which a lease exceeds the response time of a slow store, up to a part of a minute. */
const slowTimes = 4
const maxShare = 1 / 5

/** The maximum number of requests to an unreachable budget, every twelfth of a minute, unless its store has retried. */
const patience = 24

/**
 * The tokens of workers that share a key. Each worker leases tokens from the key's budget for a while. With their next
 * lease, all workers learn the limits that one has learned.
 */
export class SharedTokens implements TokenStore {
  readonly #budget: KeyBudget
  readonly #minuteMillis: number
  readonly #elapsed: () => number
  readonly #facts: ReturnType<typeof makeKnownFacts>
  readonly #limits = new Map<string, LeasedTokens>()
  readonly #alone = Semaphore.makeUnsafe(1)
  readonly #total = { leases: 0, tokens: 0, refused: 0 }
  /** Every request needs a token of this limit, so every worker learns of a hold. */
  readonly #any: Limited
  /** Until an answer shows the limits, one request at a time needs only a token of this limit. */
  readonly #unknown: Limited
  #leaseMillis: number
  /** True once the facts of other workers were read. */
  #isInformed = false
  /** True if other workers do not know of a refusal yet. */
  #isUrgent = false

  constructor({ budget, wallMillis }: SharedBudget, minuteMillis: number, buckets: RateBuckets) {
    this.#budget = budget
    this.#minuteMillis = minuteMillis
    this.#elapsed = makeElapsed(wallMillis)
    this.#facts = makeKnownFacts(buckets)
    this.#leaseMillis = minuteMillis * leaseShare
    const windowMillis = minuteMillis / 60
    this.#any = { name: "any", pace: { limit: 1e9, room: 1e9, windowMillis } }
    this.#unknown = { name: "unknown", pace: { limit: 1, room: 1, windowMillis } }
  }

  turn(buckets: () => Iterable<RateBucket>): TokenTurn {
    const self = {}
    let ends: ReadonlyArray<(now: number) => void> = []
    const own = () => {
      const limits = this.#facts.isEmpty() ? [this.#unknown] : [this.#any, ...buckets()]
      return limits.map((limit) => this.#limitOf(limit))
    }
    const missing = () => own().filter((limit) => !limit.isLive(this.#elapsed()))
    const leave = () => this.#limits.forEach(({ waiting }) => void waiting.delete(self))
    const asking = Effect.gen({ self: this }, function* () {
      if (!this.#isInformed) yield* this.#patiently(this.#inform)
      for (const { waiting } of own()) waiting.add(self)
      const wanted = missing()
      if (wanted.length === 0) return 0
      const wait = Math.max(0, ...wanted.map(({ emptyUntil }) => emptyUntil - this.#elapsed()))
      if (wait === 0) yield* this.#patiently(this.#lease(wanted))
      // The answer to another worker's request may show the limits at any moment.
      return this.#facts.isEmpty() ? Math.min(wait, this.#minuteMillis / 600) : wait
    })
    return {
      isDue: () => missing().length === 0,
      use: () => {
        if (missing().length > 0) return false
        ends = own().map((limit) => limit.use(this.#elapsed()))
        leave()
        return true
      },
      obtain: Effect.suspend(() => {
        for (const { waiting } of own()) waiting.add(self)
        return this.#alone.withPermit(asking)
      }),
      end: () => {
        leave()
        for (const end of ends) end(this.#elapsed())
        ends = []
      }
    }
  }

  learned(fact: LimitFact): void {
    this.#facts.learned(fact)
  }

  /** Records the service's count, which includes requests of other workers. The budget compares it with its total. */
  counted(bucket: RateBucket, used: number): void {
    this.#limitOf(bucket).counted(used, this.#elapsed())
  }

  hold(bucket: RateBucket | null, waitMillis: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#total.refused += 1
      this.#isUrgent = true
      this.#limitOf(bucket ?? this.#any).hold(waitMillis, this.#elapsed())
      const telling = Effect.suspend(() => (this.#isUrgent ? this.#lease([]) : Effect.void))
      return Effect.andThen(this.#report({ refused: 1 }), Effect.ignore(this.#alone.withPermit(telling)))
    })
  }

  waited(waitedMillis: number): Effect.Effect<void> {
    return this.#report({ waitedMillis })
  }

  granted(): Granted {
    return { key: this.#budget.label, ...this.#total }
  }

  #report(granted: Omit<Parameters<CallContext["onGranted"]>[0], "key">): Effect.Effect<void> {
    return Effect.flatMap(CallContext, ({ onGranted }) => onGranted({ key: this.#budget.label, ...granted }))
  }

  #limitOf(limited: Limited): LeasedTokens {
    const limit = this.#limits.get(limited.name) ?? new LeasedTokens(limited)
    this.#limits.set(limited.name, limit)
    limit.limited = limited
    return limit
  }

  /** Learns what other workers know, so that the first lease is one of known limits. */
  get #inform(): Effect.Effect<void, BudgetUnasked> {
    return Effect.map(this.#budget.facts, (facts) => {
      this.#facts.heard(facts, [])
      this.#isInformed = true
    })
  }

  /** Requests tokens of these limits, and reports all new facts. */
  #lease(wanted: ReadonlyArray<LeasedTokens>): Effect.Effect<void, BudgetUnasked> {
    return Effect.gen({ self: this }, function* () {
      const minuteMillis = this.#minuteMillis
      const leaseMillis = this.#leaseMillis
      const travelMillis = minuteMillis * travelShare
      const begun = { elapsed: this.#elapsed(), monotonic: monotonicMillis() }
      const times = { now: begun.elapsed, leaseMillis, travelMillis }
      const limits = [...this.#limits.values()].flatMap((limit) => limit.ask(wanted.includes(limit), times) ?? [])
      const reported = this.#facts.news()
      this.#isUrgent = false
      const leased = yield* this.#budget.lease({ limits, facts: reported, leaseMillis, travelMillis, minuteMillis })
      this.#facts.heard(leased.facts, reported)
      const now = this.#elapsed()
      const endsMillis = begun.elapsed + (leased.sentMillis - begun.monotonic) + leaseMillis
      const chance = yield* Random.next
      let tokens = 0
      for (const limit of limits) {
        const got = leased.limits.get(limit.id)
        if (got === undefined) continue
        this.#limits.get(limit.id)?.granted(limit, got, { ...times, now, endsMillis, chance })
        if (limit.id !== "any") tokens = Math.max(tokens, got.tokens)
      }
      const longMillis = Math.min(minuteMillis * maxShare, slowTimes * (now - begun.elapsed))
      this.#leaseMillis = Math.max(minuteMillis * leaseShare, longMillis)
      this.#total.leases += 1
      this.#total.tokens += tokens
      yield* this.#report({ leases: 1, tokens })
    })
  }

  /** Retries while the budget is unreachable, and reports the reason for the wait. */
  #patiently(ask: Effect.Effect<void, BudgetUnasked>): Effect.Effect<void, BudgetUnasked> {
    const pause = this.#minuteMillis / 12
    return ask.pipe(
      Effect.tapError(({ isFinal, reason }) => (isFinal === true ? Effect.void : reportWait(pause * patience, reason))),
      Effect.retry({
        schedule: Schedule.spaced(pause),
        times: patience,
        while: ({ isFinal }: BudgetUnasked) => isFinal !== true
      })
    )
  }
}
