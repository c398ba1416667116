import { DateTime, Effect } from "effect"
import { swapDocument } from "../bucketDocuments.ts"
import { lakeKey } from "../bucketKeys.ts"
import type { BucketStore } from "../BucketStore.ts"
import { emptyLake } from "../checkOut.ts"
import { LakeDocument, type Nights } from "../documents.ts"
import { lastNight, soundNights } from "./lastNight.ts"
import { mendLake } from "../lakeInBucket.ts"
import { newAttempt } from "../newAttempt.ts"
import { dayOfNight, isLaterNight, nextNight } from "./nightId.ts"
import { probeStore } from "../probeStore.ts"
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
  const there = yield* mendLake(store)
  const open = openNight(soundNights(there?.nights, today), today)
  if (open !== null) return open
  const wanted = yield* games
  let planned: ReturnType<typeof openNight> = null
  yield* swapDocument(store, lakeKey, LakeDocument, (found) => {
    const lake = found ?? emptyLake
    const nights = soundNights(lake.nights, today)
    planned = openNight(nights, today)
    if (planned !== null) return Effect.succeed(null)
    planned = { night: nextNight(lastNight(nights), today), games: wanted }
    const next = { ...lake, nights: { planned, closed: nights.closed } }
    const last = lastNight(lake.nights)
    if (last === lastNight(nights)) return Effect.succeed(next)
    const wrong = `The last night in ${store.urlOf(lakeKey)} was ${last}, which is ahead of the store's clock. Nights continue from ${today}`
    return Effect.as(Effect.logWarning(wrong), next)
  })
  return planned ?? { night: nextNight(null, today), games: wanted }
})
