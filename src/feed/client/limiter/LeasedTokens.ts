import type { Pace } from "./RateBucket.ts"
import type { AskedLimit, LeasedLimit } from "./TokenStore.ts"

/** What is asked for at least, of the tokens of a lease at full speed. */
const leastShare = 1 / 4

/** More than a worker sends in a lease. Of what is without end, it leaves the others all the rest. */
const plenty = 100_000

/** Something with a limit, such as a rate bucket. */
export interface Limited {
  readonly name: string
  readonly pace: Pick<Pace, "limit" | "room" | "windowMillis">
}

/** How leases are made, in milliseconds. */
interface LeaseTimes {
  readonly now: number
  readonly leaseMillis: number
  readonly travelMillis: number
}

interface GrantTimes extends LeaseTimes {
  readonly endsMillis: number
  /** From 0 to 1, so that not all ask at the same moment. */
  readonly chance: number
}

/** A token in use. */
interface UsedToken {
  /** Where the budget counts it. */
  slot: number
  readonly atMillis: number
}

/** What is leased of one limit: tokens, each for one request, until the lease ends. */
export class LeasedTokens {
  /** The latest one with the limit's name. */
  limited: Limited
  /** The requests that wait for a token. */
  readonly waiting = new Set<object>()
  /** Nothing was left, so nobody needs to ask before. */
  emptyUntil = -Infinity
  #left = 0
  #lease = { tokens: 0, slot: 0, gotMillis: 0, endsMillis: -Infinity, millis: 1 }
  /** What the next lease will be used for, by how the last one was. */
  #expected = 0
  #travelMillis = Infinity
  readonly #underWay = new Set<UsedToken>()
  /** What the budget does not know yet: what the service counted, a hold, and tokens that ended late. */
  #counted: { readonly used: number; readonly atMillis: number } | null = null
  #heldUntil = -Infinity
  #late: Array<UsedToken> = []
  /** Forgets what the last request for a lease said of it. What comes meanwhile, the next one says. */
  #heard: (lateSlot: number) => void = () => {}

  constructor(limited: Limited) {
    this.limited = limited
  }

  isLive(now: number): boolean {
    return this.#left > 0 && now < this.#lease.endsMillis
  }

  /** Uses a token. What it returns is called once the request has ended. */
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

  /** An answer said how many requests were counted. */
  counted(used: number, now: number): void {
    this.#counted = { used, atMillis: now }
  }

  /** Nobody may send for so long. */
  hold(millis: number, now: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, now + millis)
    this.#left = 0
  }

  /** What is to be asked or told; null: nothing. */
  ask(isWanted: boolean, { leaseMillis, now, travelMillis }: LeaseTimes): AskedLimit | null {
    this.#travelMillis = travelMillis
    if (isWanted && this.#left > 0) {
      this.#expected = this.#lease.tokens - this.#left
      this.#left = 0
    }
    const { name, pace } = this.limited
    const { limit, room, windowMillis } = pace
    // More than nine tenths of its time a lease is hardly used for, but in a burst, which asks more often.
    const whole = (0.9 * room * leaseMillis) / windowMillis
    const likely = Math.ceil(Math.max(leastShare * whole, Math.min(whole, this.#expected)))
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
    // What was said long ago, others have used since.
    const used = counted !== null && now - counted.atMillis <= leaseMillis + travelMillis ? counted.used : null
    const holdMillis = Math.max(0, heldUntil - now)
    const late = new Map<number, number>()
    for (const { slot } of [...this.#late, ...underWay]) late.set(slot, (late.get(slot) ?? 0) + 1)
    return want === 0 && holdMillis === 0 && late.size === 0
      ? null
      : { id: name, limit, room, windowMillis, want, used, holdMillis, late }
  }

  /** The budget was asked, and leased this. */
  granted(asked: AskedLimit, got: LeasedLimit, { chance, endsMillis, leaseMillis, now }: GrantTimes): void {
    const { slot, tokens, waitMillis } = got
    this.#heard(got.lateSlot)
    if (asked.want === 0) return
    this.#left = tokens
    this.#lease = { tokens, slot, gotMillis: now, endsMillis, millis: Math.max(1, endsMillis - now) }
    // Where there is little, those who share it take turns.
    const isScarce = tokens < asked.want && (tokens > 0 || waitMillis > 0)
    const rest = isScarce ? leaseMillis * (0.35 + 0.3 * chance) : 0
    const wait = tokens === 0 && waitMillis > 0 ? waitMillis + leaseMillis * 0.3 * chance : 0
    this.emptyUntil = now + Math.max(rest, wait)
  }
}
