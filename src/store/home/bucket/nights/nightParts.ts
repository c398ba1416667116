import { DateTime, Effect } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import {
  emptyLake,
  type LakeHead,
  lakeLog,
  type GameHead,
  isSameState,
  openLake,
  readGame,
  readPublished
} from "../gameInBucket.ts"
import { continueLog } from "../log/commitLog.ts"
import {
  lastNight,
  soundNights,
  dayOfNight,
  isLaterNight,
  nextNight,
  type Nights,
  isReadLater,
  mayBePlanned,
  type NightId
} from "./nightId.ts"
import { newAttempt } from "../log/objects.ts"
import { checkStore, roomForHome, homeIsThere, noNightThere } from "../homeAround.ts"
import { readSeenLake, readOrRepairLake } from "../repair/repairDocuments.ts"
import { isDamaged, type GameCommit, type NightPart, type StoredReport } from "../documents.ts"
import { noChanges, publishGames } from "../publishGames.ts"
import { Fault } from "../../../../feed/contract/Fault.ts"

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
  const today = DateTime.formatIso(DateTime.makeUnsafe((yield* checkStore(store)).atMillis)).slice(0, 10)
  const from = yield* readSeenLake(store)
  const wanted = yield* Effect.cached(games)
  let planned: ReturnType<typeof openNight> = null
  const next = Effect.fnUntraced(function* (base: LakeHead | null) {
    const lake = base?.commit ?? emptyLake
    const nights = soundNights(lake.nights, today)
    planned = openNight(nights, today)
    if (planned !== null) return null
    const last = lastNight(lake.nights)
    planned = { night: nextNight(lastNight(nights), today), games: yield* wanted }
    if (last !== lastNight(nights))
      yield* Effect.logWarning(
        `The last night in ${store.urlOf(lakeLog.room)} was ${last}, which is ahead of the store's clock. Nights continue from ${today}`
      )
    return { ...lake, nights: { planned, closed: nights.closed } }
  })
  yield* continueLog(store, lakeLog, { from, attempt: yield* newAttempt, next })
  return planned ?? { night: nextNight(null, today), games: yield* wanted }
})

/** The state of a game's part: unfinished, finished, or read for a later night. */
export interface PartFound {
  readonly gameId: string
  readonly verdict: NightPart["verdict"] | "waiting" | "later"
  readonly report: StoredReport | null
  /** The error of a game whose document is missing or damaged. */
  readonly reason?: string
}

/** Returns the current verdict. A person may have released a held snapshot since. */
const verdictNow = ({ published }: GameCommit, part: NightPart) => {
  if (part.verdict !== "held") return part.verdict
  return published.some((snapshot) => snapshot === String(part.report.run)) ? "published" : "held"
}

/** Returns the state of a night in parts, for every planned game and every game that was read for it. */
export const nightParts = Effect.fn("nightParts")(function* (store: BucketStore, night: NightId) {
  const lake = yield* readOrRepairLake(store)
  const { games: published, nights } = lake?.commit ?? emptyLake
  const last = nights?.planned ?? null
  const planned = last?.night === night ? last.games : []
  const names = [...new Set([...planned, ...(yield* store.folders("games"))])]
  const ready = new Map<string, GameHead>()
  const found = yield* Effect.forEach(
    names,
    Effect.fnUntraced(function* (gameId): Effect.fn.Return<
      ReadonlyArray<PartFound>,
      Effect.Error<ReturnType<typeof readGame>>
    > {
      const isPlanned = planned.includes(gameId)
      const read = yield* Effect.result(readGame(store, gameId, published[gameId]))
      if (read._tag === "Failure") {
        if (!isPlanned || !isDamaged(read.failure)) return yield* read.failure
        return [{ gameId, verdict: "failed", report: null, reason: read.failure.message }]
      }
      const head = read.success
      const part = head?.commit.part
      if (head !== null && part?.night === night) {
        ready.set(gameId, head)
        return [{ gameId, verdict: verdictNow(head.commit, part), report: part.report }]
      }
      if (part !== undefined && isReadLater(part.night, night)) return [{ gameId, verdict: "later", report: null }]
      return isPlanned ? [{ gameId, verdict: "waiting", report: null }] : []
    }),
    { concurrency: 8 }
  )
  const parts = found.flat()
  // Games that were read for later nights do not prove that this night exists.
  const isKnown = ready.size > 0 || planned.length > 0 || mayBePlanned(night, lastNight(nights))
  if (parts.length === 0 || !isKnown) {
    const lastPlanned = last?.night === undefined ? "" : `; that is ${last.night}`
    const what = `No game was read for the night ${night}, and it is not the last planned night${lastPlanned}. See the night with: cardlake plan`
    return yield* new Fault("NightUnknown", (yield* homeIsThere(store)) ? what : noNightThere(store.address), 2)
  }
  return { lake, parts, ready }
})

/** Publishes the finished parts of a night in one swap. Returns the games whose published state changed. */
export const publishParts = Effect.fn("publishParts")(function* (
  store: BucketStore,
  night: NightId,
  { lake, parts, ready }: Effect.Success<ReturnType<typeof nightParts>>
) {
  // A new plan on that day returns this night again, and reads the failed games.
  const closes = parts.some(({ verdict }) => verdict === "waiting" || verdict === "failed") ? null : night
  if (ready.size === 0) return []
  const additions = { ready, closes, changes: noChanges }
  const published = yield* publishGames(store, openLake(store, lake), yield* newAttempt, additions)
  return yield* Effect.filter(published, (gameId) => {
    const before = lake?.commit.games[gameId]
    if (before === undefined) return Effect.succeed(true)
    return Effect.map(readPublished(store, gameId, before), (head) => !isSameState(head, ready.get(gameId) ?? null))
  })
})
