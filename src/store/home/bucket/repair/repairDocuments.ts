import { Clock, Effect } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import {
  emptyLake,
  gameLog,
  type LakeHead,
  lakeLog,
  lastSeen,
  openLake,
  openRoom,
  readGames,
  readLake
} from "../gameInBucket.ts"
import { repairLog, continueLog, examineLog, type ExaminedLog } from "../log/commitLog.ts"
import { type UnreadableDocuments, nameCommit } from "../namedKeys.ts"
import { listKey, parseGame, monthOfPlace, reportsFolder } from "../bucketKeys.ts"
import { isDamaged, type Month, type Ref, type GameCommit } from "../documents.ts"
import { attemptOfObject, storeObjects, newAttempt } from "../log/objects.ts"
import { nextOfDocument, type BucketBusy, type BucketFailed } from "../BucketFailed.ts"
import type { LakeError } from "../../../../feed/reading/LakeError.ts"
import { applyChanges, type NewFile } from "../changes.ts"
import { isLaterNight } from "../nights/nightId.ts"
import { noChanges, publishGames } from "../publishGames.ts"

/** Reads all retained commits of a bucket. A game without an intact commit cannot be repaired. */
export const examineLogs = Effect.fn("examineLogs")(function* (store: BucketStore) {
  const first = yield* examineLog(store, lakeLog)
  const published = first.whole[0]?.commit.games ?? {}
  const names = new Set([...Object.keys(published), ...(yield* store.folders("games"))])
  const games = new Map<string, ExaminedLog<GameCommit>>()
  const examine = Effect.fnUntraced(function* (gameId: string) {
    const log = yield* examineLog(store, gameLog(gameId), published[gameId])
    const damage = log.damage.map((one) => (log.whole.length > 0 ? one : { ...one, next: nextOfDocument }))
    games.set(gameId, { ...log, damage })
  })
  yield* Effect.forEach(names, examine, { concurrency: 8, discard: true })
  const logs = [...games.values()]
  const seen = lastSeen(logs.flatMap(({ whole }) => whole.slice(0, 1).map(({ commit }) => commit)))
  const lake = seen > first.newest ? yield* examineLog(store, lakeLog, { number: seen }) : first
  return { lake, games, damage: [lake, ...logs].flatMap(({ damage }) => damage) }
})

/** Continues damaged logs. Returns what was repaired, what was not, and the games that can be checked out. */
export const repairDocuments = Effect.fn("repairDocuments")(function* (store: BucketStore) {
  const done: Array<string> = []
  const left: Array<string> = []
  const { games } = yield* examineLogs(store)
  for (const [gameId, log] of games) {
    if (log.damage.length === 0) continue
    const head = yield* repairLog(store, gameLog(gameId), log)
    for (const { key, next, what } of log.damage) {
      const text = `${store.urlOf(key)} is damaged: ${what}`
      if (head === null) left.push(`${text}. ${next}`)
      else done.push(`${text}. Commit ${head.number} continues from commit ${log.whole[0]?.number}`)
    }
  }
  done.push(...(yield* repairLake(store)))
  for (const key of yield* repairRuns(store)) done.push(`${store.urlOf(key)} is rebuilt from the reports of its runs`)
  const unreadable: UnreadableDocuments = new Map()
  const after = yield* examineLogs(store)
  for (const { whole } of [after.lake, ...after.games.values()])
    if (whole[0] !== undefined) yield* nameCommit(store, whole[0].commit, new Map(), unreadable)
  left.push(...[...unreadable].map(([key, { next, reason }]) => `${store.urlOf(key)} is damaged: ${reason}. ${next}`))
  const damaged = new Set([...unreadable.keys()].map(parseGame))
  const whole = [...after.games].flatMap(([gameId, log]) =>
    damaged.has(gameId) || log.damage.length > 0 || log.whole.length === 0 ? [] : [gameId]
  )
  return { done, left, whole }
})

export type RepairedDocuments = Effect.Success<ReturnType<typeof repairDocuments>>

/** Returns all versions of the reports in the bucket, oldest first. Object names say whose they are. */
const findReports = Effect.fnUntraced(function* (store: BucketStore) {
  const all = (yield* store.list(`${lakeLog.room}/objects/`)).toSorted((a, b) => a.writtenMillis - b.writtenMillis)
  return all.flatMap(({ path, sizeBytes }): ReadonlyArray<NewFile> => {
    const [, sha256, run] = /\/([0-9a-f]{64})\.runs\.([^/]+-[^/]+)\.json$/.exec(path) ?? []
    if (sha256 === undefined || run === undefined) return []
    const stored = { sha256, sizeBytes, from: Buffer.of(), storedBy: attemptOfObject(path) ?? "" }
    return [{ gameId: null, folder: reportsFolder, name: `${run}.json`, ...stored }]
  })
})

/** Rebuilds missing or damaged lists of runs from the existing reports. Returns the keys of the replaced lists. */
export const repairRuns = Effect.fn("repairRuns")(function* (store: BucketStore) {
  const from = yield* readLake(store)
  const keyOf = (ref: Ref | Month) => ("folders" in ref ? null : listKey(null, "month", ref))
  const unreadable = yield* Effect.filter(Object.values(from?.commit.months ?? {}), (ref) =>
    // A list that this release cannot read is intact, because a later release wrote it.
    "folders" in ref
      ? Effect.succeed(false)
      : store.fetchText(listKey(null, "month", ref), ref.sha256).pipe(
          Effect.as(false),
          Effect.catchIf(isDamaged, () => Effect.succeed(true))
        )
  )
  if (unreadable.length === 0) return []
  const keys = unreadable.flatMap((ref) => keyOf(ref) ?? [])
  const reports = yield* findReports(store)
  const next = Effect.fnUntraced(function* (base: LakeHead | null, attempt: string) {
    // A month that another runner has written in the meantime is intact.
    const intact = Object.entries(base?.commit.months ?? {}).filter(([, ref]) => !keys.includes(keyOf(ref) ?? ""))
    const months = Object.fromEntries(intact)
    if (base === null || intact.length === Object.keys(base.commit.months).length) return null
    const written = reports.filter((file) => base.commit.months[monthOfPlace(file)] !== months[monthOfPlace(file)])
    const room = openRoom(store, null, { ...base.commit, months })
    const { objects, ...files } = yield* applyChanges(room, attempt, { written, deleted: [] })
    yield* storeObjects(store, { attempt, room: lakeLog.room }, objects)
    return { ...base.commit, months: files.months }
  })
  yield* continueLog(store, lakeLog, { from, attempt: yield* newAttempt, next })
  return keys
})

/** Repairs the log of the lake, and publishes the newest commit of each game. Returns what it did, as sentences. */
export const repairLake = Effect.fn("repairLake")(function* (store: BucketStore) {
  const heads = yield* readGames(store)
  const seen = lastSeen(Array.from(heads.values(), ({ commit }) => commit))
  const examined = yield* examineLog(store, lakeLog, { number: seen })
  if (examined.damage.length === 0) return []
  // The newest night that a part was read for counts as closed.
  const parts = [...heads.values()].flatMap(({ commit: { part } }) => part?.night ?? [])
  const [closed] = parts.toSorted((a, b) => (isLaterNight(a, b) ? -1 : 1))
  const begun = { ...emptyLake, ...(closed && { nights: { planned: null, closed } }) }
  // Every lost commit may have used a number, which no other publication may get.
  const unknown = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const lake = yield* repairLog(store, lakeLog, examined, (commit) => {
    const sequence = commit === null ? unknown : commit.sequence + examined.newest - commit.number
    return { ...(commit ?? begun), sequence }
  })
  if (lake === null) return []
  yield* publishGames(store, openLake(store, lake), yield* newAttempt, { ready: heads, changes: noChanges })
  return examined.damage.map(({ key, what }) => `${store.urlOf(key)} is damaged: ${what}. The next commit replaces it`)
})

/** Reads the newest commit of the lake, and repairs its log if that commit is damaged. */
export const readOrRepairLake = (
  store: BucketStore,
  known = 0
): Effect.Effect<LakeHead | null, BucketFailed | BucketBusy | LakeError> =>
  Effect.catchIf(readLake(store, known), isDamaged, (error) =>
    Effect.gen(function* () {
      for (const done of yield* repairLake(store)) yield* Effect.logWarning(done)
      const lake = yield* readLake(store)
      return lake === null || lake.number < known ? yield* error : lake
    })
  )

/** Reads the newest commit of the lake, also if only a game's commit has seen it. */
export const readSeenLake = Effect.fnUntraced(function* (store: BucketStore) {
  const lake = yield* readOrRepairLake(store)
  const seen = lastSeen(Array.from((yield* readGames(store, lake)).values(), ({ commit }) => commit))
  return seen > (lake?.number ?? 0) ? yield* readOrRepairLake(store, seen) : lake
})
