import type { AskedLimit, LeasedLimit } from "../KeyBudget.ts"
import type { Pace } from "../Turns.ts"

/** What is asked for at least, of the tokens of a lease at full speed. */
const leastShare = 1 / 4

/** More than a worker sends in a lease. Of what is without end, it leaves the others all the rest. */
const plenty = 100_000

/** How leases are made, in milliseconds. */
export interface LeaseTimes {
  readonly now: number
  readonly leaseMillis: number
  readonly travelMillis: number
}

interface GrantTimes extends LeaseTimes {
  readonly endsMillis: number
  /** From 0 to 1, so that not all ask at the same moment. */
  readonly chance: number
}

interface Used {
  slot: number
  readonly atMillis: number
}

/** What others are to know. */
interface Told {
  readonly counted: { readonly used: number; readonly atMillis: number } | null
  readonly hold: { readonly untilMillis: number } | null
  readonly late: Map<number, number>
}

/** What is leased of one limit: tokens, each for one request, until the lease ends. */
export const makeLeasedTokens = (id: string, first: () => Pace) => {
  let pace = first
  let left = 0
  let lease = { tokens: 0, slot: 0, gotMillis: 0, endsMillis: -Infinity, millis: 1 }
  /** What the next lease will be used for, by how the last one was. */
  let expected = 0
  let emptyUntil = -Infinity
  let counted: Told["counted"] = null
  let hold: Told["hold"] = null
  const waiting = new Set<object>()
  const underWay = new Set<Used>()
  let late = new Map<number, number>()
  /** What the lease that is asked for tells; what comes meanwhile, the next one does. */
  let telling: Told = { counted, hold, late: new Map() }
  let travel = Infinity

  const isLive = (now: number) => left > 0 && now < lease.endsMillis
  const addLate = (to: Map<number, number>, slot: number, tokens: number) => to.set(slot, (to.get(slot) ?? 0) + tokens)

  return {
    id,
    waiting,
    paced: (next: () => Pace) => void (pace = next),
    isLive,
    /** Nothing was left, so nobody needs to ask before. */
    emptyUntil: () => emptyUntil,
    /** Uses a token. What it returns is called once the request has ended. */
    use: (now: number): ((now: number) => void) => {
      left -= 1
      const share = Math.min(1, Math.max(0.1, (now - lease.gotMillis) / lease.millis))
      if (left === 0) expected = Math.ceil(lease.tokens / share)
      const used: Used = { slot: lease.slot, atMillis: now }
      underWay.add(used)
      return (now) => {
        if (underWay.delete(used) && now - used.atMillis > travel) addLate(late, used.slot, 1)
      }
    },
    /** An answer said how many requests were counted. */
    counted: (used: number, now: number) => {
      counted = { used, atMillis: now }
    },
    hold: (millis: number, now: number) => {
      hold = { untilMillis: Math.max(hold?.untilMillis ?? -Infinity, now + millis) }
      left = 0
    },
    /** What is to be asked or told; null: nothing. */
    ask: (isWanted: boolean, { leaseMillis, now, travelMillis }: LeaseTimes): AskedLimit | null => {
      travel = travelMillis
      if (isWanted && left > 0) {
        expected = lease.tokens - left
        left = 0
      }
      const { limit, room, windowMillis } = pace()
      // More than nine tenths of its time a lease is hardly used for, but in a burst, which asks more often.
      const whole = (0.9 * room * leaseMillis) / windowMillis
      const likely = Math.ceil(Math.max(leastShare * whole, Math.min(whole, expected)))
      const want = isWanted ? Math.min(room, plenty, Math.max(1, waiting.size, likely)) : 0
      // What was said long ago, others have used since.
      const used = counted !== null && now - counted.atMillis <= leaseMillis + travelMillis ? counted.used : null
      const holdMillis = hold === null ? 0 : Math.max(0, hold.untilMillis - now)
      for (const [slot, tokens] of telling.late) addLate(late, slot, tokens)
      telling = { counted, hold, late }
      late = new Map()
      const all = new Map(telling.late)
      for (const one of underWay) if (now - one.atMillis > travelMillis) addLate(all, one.slot, 1)
      if (want === 0 && holdMillis === 0 && all.size === 0) return null
      return { id, limit, room, windowMillis, want, used, holdMillis, late: all }
    },
    granted: (
      asked: AskedLimit,
      got: LeasedLimit,
      { chance, endsMillis, leaseMillis, now, travelMillis }: GrantTimes
    ) => {
      for (const one of underWay)
        if (asked.late.has(one.slot) && now - one.atMillis > travelMillis) one.slot = got.lateSlot
      telling.late.clear()
      if (counted === telling.counted) counted = null
      if (hold === telling.hold) hold = null
      if (asked.want === 0) return
      left = got.tokens
      lease = { tokens: got.tokens, slot: got.slot, gotMillis: now, endsMillis, millis: Math.max(1, endsMillis - now) }
      // Where there is little, those who share it take turns.
      const isScarce = got.tokens < asked.want
      const rest = isScarce && (got.tokens > 0 || got.waitMillis > 0) ? leaseMillis * (0.35 + 0.3 * chance) : 0
      emptyUntil =
        now + Math.max(rest, got.tokens === 0 && got.waitMillis > 0 ? got.waitMillis + leaseMillis * 0.3 * chance : 0)
    }
  }
}

export type LeasedTokens = ReturnType<typeof makeLeasedTokens>
