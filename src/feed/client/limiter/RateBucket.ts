/** How fast requests may follow each other. */
export interface Pace {
  /** The service answers this many requests in any window. */
  readonly limit: number
  /** This program sends this many in a window; at most `limit`. */
  readonly room: number
  readonly windowMillis: number
  /** How many go out at once, and how long after each other the others do. */
  readonly burst: number
  readonly gapMillis: number
}

/** A request's place in the order of a bucket. */
export interface Place {
  /** When the request is due. */
  dueMillis: number
  isSent: boolean
  /** When it was answered; the service counted it before this. Null while it waits or is under way. */
  endedMillis: number | null
}

/** A bucket of which the limit is known, and perhaps more. */
export interface KnownBucket {
  /** The same for all workers that share the limit. */
  readonly name: string
  readonly limit: number
  readonly minuteMillis: number
  readonly windowMillis: number
  /** The part of the limit that this program uses. */
  readonly share: number
  /** When requests were sent before this program began. */
  readonly sentMillis: ReadonlyArray<number>
}

/** Windows that services count in, in minutes: one, ten, an hour, a day. */
const windows = [1, 10, 60, 1440]

/** No more of a limit is used: others may use the account, too. */
const maxShare = 0.97

/** The rate never falls below this share of what the service states: other programs may use the same account. */
const maxSlowness = 8

/** With so many requests left, nobody has to know who used the others. */
const plenty = 10_000

/**
 * A rate bucket as answers show it: `limit` requests within any minute, or longer if a `Retry-After` says so.
 * Half of a window's requests go out at once, the others evenly spread. A request counts until a window after its answer,
 * as nobody knows when it arrived. A 429 that comes although this bucket held back halves the rate. Its times never go back.
 */
export class RateBucket {
  /** How fast requests may follow each other, by what is known now. */
  pace: Pace
  readonly name: string
  readonly #known: KnownBucket
  #slowness = 1
  /** When a 429 changed the pace last. */
  #taughtAt = -Infinity
  /** Requests by the time when they are due. */
  #places: Array<Place>
  #pausedUntil = -Infinity
  /** There is no burst before this time. */
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

  /** The next request's place. It is to be ended. */
  take(now: number): Place {
    this.#prune(now)
    const place: Place = { dueMillis: this.#nextDue(this.#places, now), isSent: false, endedMillis: null }
    this.#places.push(place)
    return place
  }

  /** How long a request still has to wait. */
  waitMillis(place: Place, now: number): number {
    const wait = Math.max(this.#pausedUntil - now, place.isSent ? 0 : place.dueMillis - now)
    return wait > 0 || place.isSent ? Math.max(0, wait) : this.#fullMillis(now)
  }

  /** The request was answered or abandoned. */
  end(place: Place, now: number): void {
    place.endedMillis = now
    if (!place.isSent) this.#places = this.#places.filter((one) => one !== place)
  }

  /** An answer to a request that has not ended said how many requests the service has counted. */
  counted(used: number, now: number): void {
    if (this.pace.limit - used > plenty) return
    const counted = this.#places.filter((place) => this.#isCounted(place, now))
    const least = Math.max(0, used - counted.length)
    const underWay = counted.filter(({ endedMillis }) => endedMillis === null).length
    if (least > this.#othersAt(now)) {
      this.#others = { count: least, untilMillis: now + this.pace.windowMillis }
      this.#replan(now)
    }
    // The service may not have counted what is under way.
    else if (underWay <= 1) this.#others.count = least
  }

  /** A request that was sent at `sentMillis` was answered 429. */
  refuse(waitMillis: number, sentMillis: number, now: number): void {
    // Of several that were under way together, only the first one counts.
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

  /** How long this many requests take, none of which has begun. */
  millisFor(requests: number, now: number): number {
    this.#prune(now)
    if (requests < 1) return 0
    const planned: Array<Pick<Place, "dueMillis">> = this.#places.filter(({ isSent }) => isSent)
    // Beyond a window, they are evenly spread.
    const exact = Math.min(requests, this.pace.room + 1)
    for (let request = 0; request < exact; request++) planned.push({ dueMillis: this.#nextDue(planned, now) })
    return (planned.at(-1)?.dueMillis ?? now) - now + (requests - exact) * this.pace.gapMillis
  }

  /** How long this many requests take at today's pace where nobody has used any of the bucket. */
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

  /** When the request after these is due. */
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

  /** How long until the service has room, if answers came so late that its window is still full. */
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
