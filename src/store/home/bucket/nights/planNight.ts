import { DateTime, Effect } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import { emptyLake, type LakeHead, lakeLog } from "../gameInBucket.ts"
import { continueLog } from "../log/commitLog.ts"
import { lastNight, soundNights, dayOfNight, isLaterNight, nextNight, type Nights } from "./nightId.ts"
import { newAttempt } from "../log/objects.ts"
import { probeStore } from "../probeStore.ts"
import { readSeenLake } from "../repair/repairLake.ts"
import { roomForHome } from "../address/roomForHome.ts"

/** Returns the open night that is planned for today; null if there is none. */
const openNight = (nights: Nights | undefined, today: string) => {
  const planned = nights?.planned ?? null
  if (planned === null || dayOfNight(planned.night) < today) return null
  const closed = nights?.closed ?? null
  return closed === null || isLaterNight(planned.night, closed) ? planned : null
}

/**
 * Returns the night to read in parts, with its games by number: today's open night by the store's clock, else a new one
 * with `games`. Concurrent planners get the same night.
 */
export const planNight = Effect.fn("planNight")(function* <E, R>(
  store: BucketStore,
  games: Effect.Effect<ReadonlyArray<string>, E, R>
) {
  yield* roomForHome(store)
  const today = DateTime.formatIso(DateTime.makeUnsafe(yield* probeStore(store, yield* newAttempt))).slice(0, 10)
  const from = yield* readSeenLake(store)
  const open = openNight(soundNights(from?.commit.nights, today), today)
  if (open !== null) return open
  const wanted = yield* games
  let planned: NonNullable<ReturnType<typeof openNight>> | null = null
  const next = (base: LakeHead | null) => {
    const lake = base?.commit ?? emptyLake
    const nights = soundNights(lake.nights, today)
    planned = openNight(nights, today)
    if (planned !== null) return Effect.succeed(null)
    planned = { night: nextNight(lastNight(nights), today), games: wanted }
    const draft = { ...lake, nights: { planned, closed: nights.closed } }
    const last = lastNight(lake.nights)
    if (last === lastNight(nights)) return Effect.succeed(draft)
    const wrong = `The last night in ${store.urlOf(lakeLog.room)} was ${last}, which is ahead of the store's clock. Nights continue from ${today}`
    return Effect.as(Effect.logWarning(wrong), draft)
  }
  yield* continueLog(store, lakeLog, { from, attempt: yield* newAttempt, next })
  return planned ?? { night: nextNight(null, today), games: wanted }
})
