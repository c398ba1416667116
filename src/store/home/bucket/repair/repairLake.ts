import { Clock, Effect } from "effect"
import type { BucketBusy, BucketFailed } from "../BucketFailed.ts"
import type { BucketStore } from "../BucketStore.ts"
import { isLost } from "../bucketDocuments.ts"
import { emptyLake, type GameHead, type LakeHead, lakeLog, readGames, readLake } from "../gameInBucket.ts"
import { examineLog, repairLog } from "../log/commitLog.ts"
import { newAttempt } from "../log/objects.ts"
import { isLaterNight, type NightId } from "../nights/nightId.ts"
import { publishGames } from "../publishGames.ts"

/** Returns the newest night that a game was read for as a part; null if there is none. */
const lastPart = (heads: ReadonlyArray<GameHead>): NightId | null =>
  heads.reduce<NightId | null>((last, { commit: { part } }) => {
    if (part === undefined) return last
    return last === null || isLaterNight(part.night, last) ? part.night : last
  }, null)

/** Repairs the log of the lake, and publishes the newest commit of each game. Returns what it did, as sentences. */
export const repairLake = Effect.fn("repairLake")(function* (store: BucketStore) {
  const heads = yield* readGames(store)
  const seen = Math.max(0, ...[...heads.values()].map(({ commit }) => commit.lake))
  const examined = yield* examineLog(store, lakeLog, seen)
  if (examined.damage.length === 0) return []
  // Of nights in parts, the newest one with a reading counts as closed.
  const closed = lastPart([...heads.values()])
  const begun = closed === null ? emptyLake : { ...emptyLake, nights: { planned: null, closed } }
  // Every lost commit may have used a number, which no other publication may get.
  const unknown = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const lake = yield* repairLog(store, lakeLog, examined, (commit) => {
    const sequence = commit === null ? unknown : commit.sequence + examined.newest - commit.number
    return { ...(commit ?? begun), sequence }
  })
  if (lake === null) return []
  const nothing = { here: { fresh: [], kept: [] }, known: [] }
  yield* publishGames(store, { lake, runs: new Map() }, yield* newAttempt, { ready: heads, ...nothing })
  return examined.damage.map(({ key, what }) => `${store.urlOf(key)} is damaged: ${what}. The next commit replaces it`)
})

/** Reads the newest commit of the lake, and repairs its log if that commit is damaged. */
export const readOrRepairLake = (
  store: BucketStore,
  known = 0
): Effect.Effect<LakeHead | null, BucketFailed | BucketBusy> =>
  Effect.catchIf(readLake(store, known), isLost, (error) =>
    Effect.gen(function* () {
      for (const done of yield* repairLake(store)) yield* Effect.logWarning(done)
      const lake = yield* readLake(store)
      return lake === null || lake.number < known ? yield* error : lake
    })
  )

/** Reads the newest commit of the lake, also if only a game's commit has seen it. */
export const readSeenLake = Effect.fnUntraced(function* (store: BucketStore) {
  const lake = yield* readOrRepairLake(store)
  const seen = Math.max(0, ...[...(yield* readGames(store, lake)).values()].map(({ commit }) => commit.lake))
  return seen > (lake?.number ?? 0) ? yield* readOrRepairLake(store, seen) : lake
})
