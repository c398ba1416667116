export interface Pace {
  /** The maximum number of requests in any window. */
  readonly limit: number
  /** The number of requests per window that this program may send; at most `limit`. */
  readonly room: number
  readonly windowMillis: number
  /** The size of a burst, and the interval between later requests. */
  readonly burst: number
  readonly gapMillis: number
}

/** The scheduled time of a request in a bucket. */
export interface Place {
  /** When the request is due. */
  dueMillis: number
  isSent: boolean
  /** When it was answered, and so counted by the service; null while it waits or is in flight. */
  endedMillis: number | null
}

export interface KnownBucket {
  /** A name that is equal for all workers that share the limit. */
  readonly name: string
  readonly limit: number
  readonly minuteMillis: number
  readonly windowMillis: number
  /** The part of the limit that this program uses. */
  readonly share: number
  /** When requests were sent before this program began. */
  readonly sentMillis: ReadonlyArray<number>
}

/** Common window lengths in minutes: one, ten, an hour, a day. */
const windows = [1, 10, 60, 1440]

/** The maximum share of a limit in use, because others may use the account. */
const maxShare = 0.97

/** The rate never falls below this share of what the service states, because other programs may use the account. */
const maxSlowness = 8

/** With this many requests left, requests of other programs are ignored. */
const plenty = 10_000

/**
 * A rate bucket learned from answers: `limit` requests in any minute, or in a longer window if a `Retry-After` implies it.
 * Half of a window's requests are sent as a burst, the others evenly spaced. A request counts until a window after its
 * answer, because its arrival time is unknown. A 429 despite this bucket's pace halves the rate. Its clock is monotonic.
 */
export class RateBucket {
  pace: Pace
  readonly name: string
  readonly #known: KnownBucket
  #slowness = 1
  /** When a 429 last changed the pace. */
  #taughtAt = -Infinity
  /** Requests sorted by their scheduled time. */
  #places: Array<Place>
  #pausedUntil = -Infinity
  /** No burst is allowed before this time. */
  #evenUntil = -Infinity
  /** Requests of other programs that the service counts as well. */
  #others = { count: 0, untilMillis: -Infinity }

  constructor(known: KnownBucket) {
    this.name = known.name
    this.#known = known
    this.#places = known.sentMillis
      .toSorted((a, b) => a - b)
      .map((at) => ({ dueMillis: at, isSent: true, endedMillis: at }))
    this.pace = this.#paceOf(known.windowMillis)
  }

  #paceOf(windowMillis: number): Pace {
    const { limit, share } = this.#known
    const room = Math.max(1, Math.floor((maxShare * share * limit) / this.#slowness))
    return { limit, room, windowMillis, burst: Math.max(1, Math.floor(room / 2)), gapMillis: windowMillis / room }
  }

  /** Schedules the next request. The caller must end it. */
  take(now: number): Place {
    this.#prune(now)
    const place: Place = { dueMillis: this.#nextDue(this.#places, now), isSent: false, endedMillis: null }
    this.#places.push(place)
    return place
  }

  waitMillis(place: Place, now: number): number {
    const wait = Math.max(this.#pausedUntil - now, place.isSent ? 0 : place.dueMillis - now)
    return wait > 0 || place.isSent ? Math.max(0, wait) : this.#fullMillis(now)
  }

  end(place: Place, now: number): void {
    place.endedMillis = now
    if (!place.isSent) this.#places = this.#places.filter((one) => one !== place)
  }

  /** Records the service's request count from the answer to an unfinished request. */
  counted(used: number, now: number): void {
    if (this.pace.limit - used > plenty) return
    const counted = this.#places.filter((place) => this.#isCounted(place, now))
    const least = Math.max(0, used - counted.length)
    const underWay = counted.filter(({ endedMillis }) => endedMillis === null).length
    if (least > this.#othersAt(now)) {
      this.#others = { count: least, untilMillis: now + this.pace.windowMillis }
      this.#replan(now)
    }
    // The service may not have counted requests in flight.
    else if (underWay <= 1) this.#others.count = least
  }

  /** Handles a 429 for a request sent at `sentMillis`. */
  refuse(waitMillis: number, sentMillis: number, now: number): void {
    // Of several requests in flight together, only the first 429 counts.
    if (sentMillis >= this.#taughtAt) {
      const minutes = windows.find((minutes) => minutes * this.#known.minuteMillis >= waitMillis) ?? 1440
      const fitting = minutes * this.#known.minuteMillis
      const { windowMillis } = this.pace
      if (this.#taughtAt > -Infinity && fitting <= windowMillis) {
        this.#slowness = Math.min(maxSlowness, this.#slowness * 2)
      }
      this.pace = this.#paceOf(Math.max(windowMillis, fitting))
      this.#taughtAt = now
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMillis)
    this.#evenUntil = this.#pausedUntil + this.pace.windowMillis
    this.#replan(now)
  }

  /** Returns the minimum time for `requests` that have not begun. */
  millisFor(requests: number, now: number): number {
    this.#prune(now)
    if (requests < 1) return 0
    const planned: Array<Pick<Place, "dueMillis">> = this.#places.filter(({ isSent }) => isSent)
    const { burst, gapMillis } = this.pace
    const first = Math.max(now, this.#pausedUntil, planned.at(-1)?.dueMillis ?? now)
    // A reading asks after each of its thousands of pages.
    if (planned.length + requests <= burst - this.#othersAt(now) && first >= this.#evenUntil) return first - now
    // After a window, requests are evenly spaced.
    const exact = Math.min(requests, this.pace.room + 1)
    for (let request = 0; request < exact; request++) planned.push({ dueMillis: this.#nextDue(planned, now) })
    return (planned.at(-1)?.dueMillis ?? now) - now + (requests - exact) * gapMillis
  }

  /** Returns the time for `requests` at the current pace if the bucket is full. */
  millisAfresh(requests: number): number {
    const fresh = new RateBucket({ ...this.#known, sentMillis: [] })
    fresh.pace = this.pace
    return fresh.millisFor(requests, 0)
  }

  #prune(now: number): void {
    while (this.#places[0]?.isSent && !this.#isCounted(this.#places[0], now)) this.#places.shift()
  }

  #othersAt(now: number): number {
    return this.#others.untilMillis > now ? this.#others.count : 0
  }

  #isCounted({ endedMillis, isSent }: Place, now: number): boolean {
    return isSent && (endedMillis === null || endedMillis > now - this.pace.windowMillis)
  }

  #nextDue(before: ReadonlyArray<Pick<Place, "dueMillis">>, now: number): number {
    const { burst, gapMillis, room, windowMillis } = this.pace
    const fromEnd = (count: number) => before[before.length - count]?.dueMillis ?? -Infinity
    const others = this.#othersAt(now)
    const own = room - others
    let due = Math.max(now, this.#pausedUntil, fromEnd(1), fromEnd(room) + windowMillis)
    if (others > 0) {
      const besideOthers = own < 1 ? Infinity : fromEnd(own) + windowMillis
      due = Math.max(due, Math.min(this.#others.untilMillis, besideOthers))
    }
    const isBurst = due >= this.#evenUntil && fromEnd(Math.max(1, burst - others)) <= due - windowMillis
    return isBurst ? due : Math.max(due, fromEnd(1) + gapMillis)
  }

  #replan(now: number): void {
    const waiting = this.#places.filter(({ isSent }) => !isSent)
    this.#places = this.#places.filter(({ isSent }) => isSent)
    for (const place of waiting) {
      place.dueMillis = this.#nextDue(this.#places, now)
      this.#places.push(place)
    }
  }

  /** Returns the wait until the service's window allows a request, if late answers still fill it. */
  #fullMillis(now: number): number {
    const others = this.#othersAt(now)
    if (this.#places.length + others <= this.pace.limit) return 0
    const counted = this.#places.filter((place) => this.#isCounted(place, now))
    if (counted.length + others < this.pace.limit) return 0
    const ends = counted.flatMap(({ endedMillis }) =>
      endedMillis === null ? [] : [endedMillis + this.pace.windowMillis]
    )
    return Math.max(1, Math.min(now + this.pace.gapMillis, ...ends) - now)
  }
}
