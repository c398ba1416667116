import type { Pace } from "./RateBucket.ts"
import type { LimitRequest, LeasedLimit } from "./TokenStore.ts"

/** The smallest share of a full-speed lease that is requested. */
const minShare = 1 / 4

/** More tokens than a worker uses in a lease; the rest of an unlimited budget is left to others. */
const plenty = 100_000

/** A limit, such as a rate bucket. */
export interface Limited {
  readonly name: string
  readonly pace: Pick<Pace, "limit" | "room" | "windowMillis">
}

/** The durations of leases, in milliseconds. */
interface LeaseTimes {
  readonly now: number
  readonly leaseMillis: number
  readonly travelMillis: number
}

interface GrantTimes extends LeaseTimes {
  readonly endsMillis: number
  /** Jitter from 0 to 1, so that workers do not request leases simultaneously. */
  readonly chance: number
}

interface UsedToken {
  /** The time slot in which the budget counts it. */
  slot: number
  readonly atMillis: number
}

/** The leased tokens of one limit. Each allows one request until the lease ends. */
export class LeasedTokens {
  /** The latest limit of this name. */
  limited: Limited
  readonly waiting = new Set<object>()
  /** No token was left, so requesting a lease before this time is useless. */
  emptyUntil = -Infinity
  #left = 0
  #lease = { tokens: 0, slot: 0, gotMillis: 0, endsMillis: -Infinity, millis: 1 }
  /** The expected use of the next lease, estimated from the last one. */
  #expected = 0
  #travelMillis = Infinity
  readonly #underWay = new Set<UsedToken>()
  /** Updates not yet sent to the budget: the service's count, a hold, and tokens that ended late. */
  #counted: { readonly used: number; readonly atMillis: number } | null = null
  #heldUntil = -Infinity
  #late: Array<UsedToken> = []
  /** Clears the updates that the last lease request sent. Later ones go with the next request. */
  #heard: (lateSlot: number) => void = () => {}

  constructor(limited: Limited) {
    this.limited = limited
  }

  isLive(now: number): boolean {
    return this.#left > 0 && now < this.#lease.endsMillis
  }

  /** Uses a token. The caller invokes the returned function once the request has ended. */
  use(now: number): (now: number) => void {
    const { gotMillis, millis, slot, tokens } = this.#lease
    this.#left -= 1
    const share = Math.min(1, Math.max(0.1, (now - gotMillis) / millis))
    if (this.#left === 0) this.#expected = Math.ceil(tokens / share)
    const used: UsedToken = { slot, atMillis: now }
    this.#underWay.add(used)
    return (now) => {
      if (this.#underWay.delete(used) && now - used.atMillis > this.#travelMillis) this.#late.push(used)
    }
  }

  counted(used: number, now: number): void {
    this.#counted = { used, atMillis: now }
  }

  hold(millis: number, now: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, now + millis)
    this.#left = 0
  }

  /** Returns the next request to the budget; null if none is needed. */
  ask(isWanted: boolean, { leaseMillis, now, travelMillis }: LeaseTimes): LimitRequest | null {
    this.#travelMillis = travelMillis
    if (isWanted && this.#left > 0) {
      this.#expected = this.#lease.tokens - this.#left
      this.#left = 0
    }
    const { name, pace } = this.limited
    const { limit, room, windowMillis } = pace
    // A lease is rarely used beyond nine tenths of its time, except in a burst, which requests more often.
    const whole = (0.9 * room * leaseMillis) / windowMillis
    const likely = Math.ceil(Math.max(minShare * whole, Math.min(whole, this.#expected)))
    const want = isWanted ? Math.min(room, plenty, Math.max(1, this.waiting.size, likely)) : 0
    const counted = this.#counted
    const heldUntil = this.#heldUntil
    const ended = this.#late.length
    const underWay = [...this.#underWay].filter(({ atMillis }) => now - atMillis > travelMillis)
    this.#heard = (lateSlot) => {
      for (const one of underWay) one.slot = lateSlot
      this.#late.splice(0, ended)
      if (this.#counted === counted) this.#counted = null
      if (this.#heldUntil === heldUntil) this.#heldUntil = -Infinity
    }
    // Others may have used the tokens since an old report.
    const used = counted !== null && now - counted.atMillis <= leaseMillis + travelMillis ? counted.used : null
    const holdMillis = Math.max(0, heldUntil - now)
    const late = new Map<number, number>()
    for (const { slot } of [...this.#late, ...underWay]) late.set(slot, (late.get(slot) ?? 0) + 1)
    return want === 0 && holdMillis === 0 && late.size === 0
      ? null
      : { id: name, limit, room, windowMillis, want, used, holdMillis, late }
  }

  /** Applies the budget's answer to a lease request. */
  granted(request: LimitRequest, got: LeasedLimit, { chance, endsMillis, leaseMillis, now }: GrantTimes): void {
    const { slot, tokens, waitMillis } = got
    this.#heard(got.lateSlot)
    if (request.want === 0) return
    this.#left = tokens
    this.#lease = { tokens, slot, gotMillis: now, endsMillis, millis: Math.max(1, endsMillis - now) }
    // With few tokens, workers take turns.
    const isScarce = tokens < request.want && (tokens > 0 || waitMillis > 0)
    const rest = isScarce ? leaseMillis * (0.35 + 0.3 * chance) : 0
    const wait = tokens === 0 && waitMillis > 0 ? waitMillis + leaseMillis * 0.3 * chance : 0
    this.emptyUntil = now + Math.max(rest, wait)
  }
}
