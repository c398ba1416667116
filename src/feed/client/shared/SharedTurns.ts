import { Effect, Random, Schedule, Semaphore } from "effect"
import { type AskedLimit, type BudgetUnasked, type KeyBudget, type LimitFact, makeKnownFacts } from "../KeyBudget.ts"
import type { LearnedBucket } from "../LearnedBucket.ts"
import { type LeasedTokens, makeLeasedTokens } from "./LeasedTokens.ts"
import { CallContext, type Granted, tellWait } from "../CallContext.ts"

/** So far ahead, the wall clock has gone on while the machine slept, or was set. */
const jumpMillis = 1000

/** Time that never goes back, as the monotonic clock has it, and goes on while the machine sleeps: then it stands still. */
const makeElapsed = (wallMillis: () => number) => {
  let monotonic = performance.now()
  let wall = wallMillis()
  let slept = 0
  return (): number => {
    const now = performance.now()
    const wallNow = wallMillis()
    const ahead = wallNow - wall - (now - monotonic)
    if (ahead > jumpMillis) slept += ahead
    wall = wallNow
    monotonic = now
    return now + slept
  }
}

/** A key's budget, and this worker's wall clock. */
export interface SharedBudget {
  readonly budget: KeyBudget
  readonly minuteMillis: number
  readonly wallMillis: () => number
}

/** A request's part in the budget of a key. */
export interface SharedTurn {
  /** Whether the request has a token of every limit by now. */
  readonly isDue: () => boolean
  /** Uses them, right before the request is sent; false: a lease has ended meanwhile. */
  readonly use: () => boolean
  /** Asks for tokens; without any, how long to wait. */
  readonly obtain: Effect.Effect<number, BudgetUnasked>
  /** The request was answered or abandoned. */
  readonly end: () => void
}

/** The turns of workers that share a key. Whatever one learns of its limits, all know with their next lease. */
export interface SharedTurns {
  readonly turn: (buckets: () => Iterable<LearnedBucket>) => SharedTurn
  readonly learned: (fact: LimitFact) => void
  /** An answer said how many requests were counted in a limit. */
  readonly counted: (bucket: LearnedBucket, used: number) => void
  /** A 429: nobody may send for so long. Null: its limit is unknown. */
  readonly hold: (bucket: LearnedBucket | null, waitMillis: number) => void
  /** Tells the others at once what was refused. */
  readonly tell: Effect.Effect<void>
  readonly waited: (millis: number) => Effect.Effect<void>
  readonly granted: () => Granted
}

/** Of a minute: how long tokens may be used, and how long a request travels without being reported as late. */
const leaseShare = 1 / 20
const travelShare = 1 / 30
/** A store that answers slowly gives leases of so many times as long, up to a part of a minute. */
const slowTimes = 4
const longestShare = 1 / 5

/** A budget that cannot be asked is asked again so often, each twelfth of a minute, unless its store was waited for. */
const patience = 24

/** `apply` makes use of what others have learned. */
export const makeSharedTurns = (
  { budget, minuteMillis, wallMillis }: SharedBudget,
  apply: (fact: LimitFact) => void
): SharedTurns => {
  const alone = Semaphore.makeUnsafe(1)
  const elapsed = makeElapsed(wallMillis)
  const limits = new Map<string, LeasedTokens>()
  const facts = makeKnownFacts(apply)
  const total = { leases: 0, tokens: 0, refused: 0 }
  const travelMillis = minuteMillis * travelShare
  let leaseMillis = minuteMillis * leaseShare
  let isUrgent = false

  const limitOf = (id: string, pace: LearnedBucket["pace"]): LeasedTokens => {
    const limit = limits.get(id) ?? makeLeasedTokens(id, pace)
    limits.set(id, limit)
    limit.paced(pace)
    return limit
  }
  const ofBucket = ({ name, pace }: LearnedBucket) => limitOf(name, pace)
  /** Every request has one of these, so that whoever asks hears of a hold. */
  const ofAll = () => limitOf("any", () => ({ limit: 1e9, room: 1e9, windowMillis: minuteMillis / 60 }))
  /** Until an answer shows the limits, one request at a time. */
  const ofNone = () => limitOf("unknown", () => ({ limit: 1, room: 1, windowMillis: minuteMillis / 60 }))

  const lease = Effect.fnUntraced(function* (wanted: ReadonlyArray<LeasedTokens>) {
    const begun = { elapsed: elapsed(), monotonic: performance.now() }
    const times = { now: begun.elapsed, leaseMillis, travelMillis }
    const asked = [...limits.values()].flatMap((limit): ReadonlyArray<AskedLimit> => {
      const one = limit.ask(wanted.includes(limit), times)
      return one === null ? [] : [one]
    })
    const told = facts.news()
    isUrgent = false
    const leased = yield* budget.lease({ limits: asked, facts: told, leaseMillis, travelMillis, minuteMillis })
    facts.heard(leased.facts, told)
    const now = elapsed()
    const endsMillis = begun.elapsed + (leased.askedMillis - begun.monotonic) + leaseMillis
    const chance = yield* Random.next
    let tokens = 0
    for (const limit of asked) {
      const got = leased.limits.get(limit.id)
      if (got === undefined) continue
      limits.get(limit.id)?.granted(limit, got, { ...times, now, endsMillis, chance })
      if (limit.id !== "any") tokens = Math.max(tokens, got.tokens)
    }
    const longMillis = Math.min(minuteMillis * longestShare, slowTimes * (now - begun.elapsed))
    leaseMillis = Math.max(minuteMillis * leaseShare, longMillis)
    total.leases += 1
    total.tokens += tokens
    yield* (yield* CallContext).onGranted({ key: budget.label, leases: 1, tokens })
  })
  /** Asks again where the budget cannot be asked, and says why it is waited for. */
  const patiently = (wanted: ReadonlyArray<LeasedTokens>) =>
    lease(wanted).pipe(
      Effect.tapError(({ isFinal, reason }) =>
        isFinal === true ? Effect.void : tellWait((minuteMillis / 12) * patience, reason)
      ),
      Effect.retry({
        schedule: Schedule.spaced(minuteMillis / 12),
        times: patience,
        while: ({ isFinal }: BudgetUnasked) => isFinal !== true
      })
    )

  return {
    turn: (buckets) => {
      const self = {}
      let ends: ReadonlyArray<(now: number) => void> = []
      const own = () => (facts.isEmpty() ? [ofNone()] : [ofAll(), ...Array.from(buckets(), ofBucket)])
      const missing = () => {
        const now = elapsed()
        return own().filter((limit) => !limit.isLive(now))
      }
      const leave = () => {
        for (const { waiting } of limits.values()) waiting.delete(self)
      }
      return {
        isDue: () => missing().length === 0,
        use: () => {
          if (missing().length > 0) return false
          const now = elapsed()
          ends = own().map((limit) => limit.use(now))
          leave()
          return true
        },
        obtain: Effect.suspend(() => {
          for (const { waiting } of own()) waiting.add(self)
          const asking = Effect.suspend(() => {
            const wanted = missing()
            const wait = Math.max(0, ...wanted.map((limit) => limit.emptyUntil() - elapsed()))
            if (wanted.length === 0 || wait === 0)
              return Effect.as(wanted.length === 0 ? Effect.void : patiently(wanted), 0)
            // The answer to somebody else's request may show the limits any moment.
            return Effect.succeed(facts.isEmpty() ? Math.min(wait, minuteMillis / 600) : wait)
          })
          return alone.withPermit(asking)
        }),
        end: () => {
          const now = elapsed()
          leave()
          for (const end of ends) end(now)
          ends = []
        }
      }
    },
    learned: facts.learned,
    counted: (bucket, used) => ofBucket(bucket).counted(used, elapsed()),
    hold: (bucket, waitMillis) => {
      total.refused += 1
      isUrgent = true
      const limit = bucket === null ? ofAll() : ofBucket(bucket)
      limit.hold(waitMillis, elapsed())
    },
    tell: Effect.suspend(() =>
      isUrgent
        ? Effect.andThen(
            Effect.flatMap(CallContext, ({ onGranted }) => onGranted({ key: budget.label, refused: 1 })),
            Effect.ignore(alone.withPermit(Effect.suspend(() => (isUrgent ? lease([]) : Effect.void))))
          )
        : Effect.void
    ),
    waited: (waitedMillis) =>
      Effect.flatMap(CallContext, ({ onGranted }) => onGranted({ key: budget.label, waitedMillis })),
    granted: () => ({ key: budget.label, ...total })
  }
}
