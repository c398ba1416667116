/** A request's place among those of a rate bucket. */
export interface Turn {
  /** How long it still has to wait. */
  readonly waitMillis: (nowMillis: number) => number
  /** It goes out now. */
  readonly send: () => void
  /** It was answered or abandoned. */
  readonly end: (nowMillis: number) => void
}

/** How fast requests may follow each other. */
export interface Pace {
  /** The service answers this many in any window. */
  readonly limit: number
  /** As many go out in a window; at most `limit`. */
  readonly room: number
  readonly windowMillis: number
}

interface Place {
  /** When it is due. */
  dueMillis: number
  isSent: boolean
  /** The service counted it before this; null = it is under way, or waits. */
  endedMillis: number | null
}

/** With so many left, nobody has to know who used the others. */
const plenty = 10_000

/**
 * The requests of a bucket: half of a window's at once, the others evenly spread, and never more than the limit in any
 * window. A request counts until a window after its answer, as nobody knows when it arrived. `sentMillis` are others of ours.
 */
export const makeTurns = (first: Pace, sentMillis: ReadonlyArray<number> = []) => {
  let pace = first
  /** By when they are due. */
  let places: Array<Place> = sentMillis
    .toSorted((a, b) => a - b)
    .map((at) => ({ dueMillis: at, isSent: true, endedMillis: at }))
  let pausedUntil = -Infinity
  /** No burst before that. */
  let evenUntil = -Infinity
  /** Requests of others that the service counts as well. */
  let others = { count: 0, untilMillis: -Infinity }

  let latest = -Infinity

  /** A clock that is set back makes nobody wait: what was at a time is as long ago, or as far away, as before. */
  const follow = (now: number) => {
    const back = latest - now
    latest = now
    if (!(back > 0)) return
    for (const place of places) {
      place.dueMillis -= back
      if (place.endedMillis !== null) place.endedMillis -= back
    }
    pausedUntil -= back
    evenUntil -= back
    others = { ...others, untilMillis: others.untilMillis - back }
  }
  const gap = () => pace.windowMillis / pace.room
  const burst = () => Math.max(1, Math.floor(pace.room / 2))
  const othersAt = (now: number) => (others.untilMillis > now ? others.count : 0)
  const isCounted = ({ endedMillis, isSent }: Place, now: number) =>
    isSent && (endedMillis === null || endedMillis > now - pace.windowMillis)
  const prune = (now: number) => {
    follow(now)
    while (places[0]?.isSent && !isCounted(places[0], now)) places.shift()
  }

  /** When the request after these is due. */
  const nextDue = (before: ReadonlyArray<Pick<Place, "dueMillis">>, now: number): number => {
    const fromEnd = (count: number) => before[before.length - count]?.dueMillis ?? -Infinity
    const foreign = othersAt(now)
    const own = pace.room - foreign
    const due = Math.max(
      now,
      pausedUntil,
      fromEnd(1),
      fromEnd(pace.room) + pace.windowMillis,
      foreign === 0
        ? now
        : own < 1
          ? others.untilMillis
          : Math.min(others.untilMillis, fromEnd(own) + pace.windowMillis)
    )
    const isBurst = due >= evenUntil && fromEnd(Math.max(1, burst() - foreign)) <= due - pace.windowMillis
    return isBurst ? due : Math.max(due, fromEnd(1) + gap())
  }
  const replan = (now: number) => {
    const waiting = places.filter(({ isSent }) => !isSent)
    places = places.filter(({ isSent }) => isSent)
    for (const place of waiting) {
      place.dueMillis = nextDue(places, now)
      places.push(place)
    }
  }
  /** Until the service has room, if answers came so late that its window is still full. */
  const fullMillis = (now: number): number => {
    if (places.length + othersAt(now) <= pace.limit) return 0
    const counted = places.filter((place) => isCounted(place, now))
    if (counted.length + othersAt(now) < pace.limit) return 0
    const ends = counted.flatMap(({ endedMillis }) => (endedMillis === null ? [] : [endedMillis + pace.windowMillis]))
    return Math.max(1, Math.min(now + gap(), ...ends) - now)
  }

  return {
    take: (now: number): Turn => {
      prune(now)
      const place: Place = { dueMillis: nextDue(places, now), isSent: false, endedMillis: null }
      places.push(place)
      return {
        waitMillis: (now) => {
          follow(now)
          const wait = Math.max(pausedUntil - now, place.isSent ? 0 : place.dueMillis - now)
          return wait > 0 || place.isSent ? Math.max(0, wait) : fullMillis(now)
        },
        send: () => {
          place.isSent = true
        },
        end: (now) => {
          follow(now)
          place.endedMillis = now
          if (!place.isSent) places = places.filter((one) => one !== place)
        }
      }
    },
    remains: (remaining: number, now: number) => {
      if (remaining > plenty) return
      follow(now)
      const counted = places.filter((place) => isCounted(place, now))
      const least = Math.max(0, pace.limit - remaining - counted.length)
      const underWay = counted.filter(({ endedMillis }) => endedMillis === null).length
      // The service may not have counted what is under way.
      if (least <= othersAt(now) && underWay > 1) return
      if (least <= othersAt(now)) others = { ...others, count: least }
      else {
        others = { count: least, untilMillis: now + pace.windowMillis }
        replan(now)
      }
    },
    /** Nobody may send for so long; afterwards at this pace, and evenly. */
    pause: (next: Pace, waitMillis: number, now: number) => {
      follow(now)
      pace = next
      pausedUntil = Math.max(pausedUntil, now + waitMillis)
      evenUntil = pausedUntil + pace.windowMillis
      replan(now)
    },
    /** How long this many requests take, none of which has begun. */
    millisFor: (requests: number, now: number): number => {
      prune(now)
      if (requests < 1) return 0
      if (now >= evenUntil && places.length + othersAt(now) + requests <= burst()) return Math.max(0, pausedUntil - now)
      const planned: Array<Pick<Place, "dueMillis">> = places.filter(({ isSent }) => isSent)
      // Beyond a window, they are evenly spread.
      const exact = Math.min(requests, pace.room + 1)
      for (let request = 0; request < exact; request++) planned.push({ dueMillis: nextDue(planned, now) })
      return (planned.at(-1)?.dueMillis ?? now) - now + (requests - exact) * gap()
    }
  }
}
