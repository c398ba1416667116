import type { Moment } from "./RateLimit.ts"
import { makeTurns, type Pace, type Turn } from "./Turns.ts"

/** Windows that services count in, in minutes: one, ten, an hour, a day. */
const windows = [1, 10, 60, 1440]

/** No more of a limit is used: others may use the account, too. */
const maxShare = 0.97

/** The rate never falls below this share of what the service states: other programs may use the same account. */
const maxSlowness = 8

/**
 * A rate bucket as answers show it: `limit` requests within any minute, or longer if a `Retry-After` says so.
 * A 429 that comes although this bucket held back halves the rate.
 */
export interface LearnedBucket {
  /** The same for all who share the limit. */
  readonly name: string
  readonly limit: number
  /** How fast requests may follow each other, by what is known now. */
  readonly pace: () => Pace
  /** The next request's turn, which is to be ended. */
  readonly take: (nowMillis: number) => Turn
  /** An answer to a request whose turn has not ended said how many requests are left. */
  readonly remains: (remaining: number, nowMillis: number) => void
  /** A request that went out at `sentMillis` was answered 429. */
  readonly refuse: (waitMillis: number, sentMillis: number, nowMillis: number) => void
  /** How long this many requests take, none of which has begun. */
  readonly millisFor: (requests: number, nowMillis: number) => number
  /** The same if nobody has used any of it. */
  readonly millisAfresh: (requests: number) => number
}

/** What else is known of a bucket. */
interface Known extends Pick<Moment, "minuteMillis"> {
  /** What distinguishes it from others; its limit by default. */
  readonly name?: string
  /** The part of it that is used; 1 by default. */
  readonly share?: number
  /** Its window; one by default. */
  readonly minutes?: number
  /** Requests from before this program began. */
  readonly sentMillis?: ReadonlyArray<number>
}

/** A bucket of which only the limit is known, and perhaps its window. */
export const makeLearnedBucket = (
  limit: number,
  { minuteMillis, minutes = 1, name = String(limit), sentMillis = [], share = 1 }: Known
): LearnedBucket => {
  let window = minutes * minuteMillis
  let slowness = 1
  let taughtAt = -Infinity
  const pace = () => ({
    limit,
    room: Math.max(1, Math.floor((maxShare * share * limit) / slowness)),
    windowMillis: window
  })
  const turns = makeTurns(pace(), sentMillis)
  return {
    name,
    limit,
    pace,
    take: turns.take,
    remains: turns.remains,
    refuse: (waitMillis, sentMillis, now) => {
      // Of several that were under way together, only the first one counts.
      if (sentMillis >= taughtAt) {
        const fitting = windows.find((minutes) => minutes * minuteMillis >= waitMillis) ?? 1440
        if (taughtAt > -Infinity && fitting * minuteMillis <= window) slowness = Math.min(maxSlowness, slowness * 2)
        window = Math.max(window, fitting * minuteMillis)
        taughtAt = now
      }
      turns.pause(pace(), waitMillis, now)
    },
    millisFor: turns.millisFor,
    millisAfresh: (requests) => makeTurns(pace()).millisFor(requests, 0)
  }
}
