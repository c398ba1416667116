import { Clock, Effect } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import {
  gameLog,
  type LakeHead,
  lakeLog,
  readLake,
  emptyLake,
  lastSeen,
  type GameHead,
  openLake,
  readGames,
  unlikeLake
} from "../gameInBucket.ts"
import { repairLog, continueLog, damagedCommit, examineLog, type ExaminedLog, sumOfCommit } from "../log/commitLog.ts"
import { type LostDocuments, nameCommit } from "../namedKeys.ts"
import { listKey, parseGame, monthOfPlace, reportsFolder } from "../bucketKeys.ts"
import {
  isLost,
  makeList,
  type Month,
  type Ref,
  type StoredFile,
  type GameCommit,
  type LakeCommit
} from "../documents.ts"
import { attemptOfObject, type NewObject, storeObjects, newAttempt } from "../log/objects.ts"
import { nextOfDocument, type BucketBusy, type BucketFailed } from "../BucketFailed.ts"
import type { LakeError } from "../../../../feed/reading/LakeError.ts"
import { isLaterNight, type NightId } from "../nights/nightId.ts"
import { noChanges, publishGames } from "../publishGames.ts"

/** A log without an intact commit cannot be repaired. */
const withNext = <A>(log: ExaminedLog<A>): ExaminedLog<A> =>
  log.whole.length > 0 ? log : { ...log, damage: log.damage.map((one) => ({ ...one, next: nextOfDocument })) }

/** Finds a published commit whose bytes are not those that the lake names. */
const withPublished = (
  gameId: string,
  log: ExaminedLog<GameCommit>,
  published: LakeCommit["games"][string] | undefined
): ExaminedLog<GameCommit> => {
  const other = log.whole.find((one) => one.number === published?.number && sumOfCommit(one) !== published.sum)
  if (other === undefined) return log
  const damage = damagedCommit(gameLog(gameId).room, other.number, unlikeLake)
  return { ...log, whole: log.whole.filter((one) => one !== other), damage: [...log.damage, damage] }
}

/** Reads all retained commits of a bucket. */
export const examineLogs = Effect.fn("examineLogs")(function* (store: BucketStore) {
  const first = yield* examineLog(store, lakeLog)
  const published = first.whole[0]?.commit.games ?? {}
  const names = new Set([...Object.keys(published), ...(yield* store.folders("games"))])
  const all = yield* Effect.forEach(
    names,
    (gameId) =>
      Effect.map(
        examineLog(store, gameLog(gameId), published[gameId]?.number),
        (log) => [gameId, withNext(withPublished(gameId, log, published[gameId]))] as const
      ),
    { concurrency: 8 }
  )
  const games = new Map(all)
  const seen = lastSeen(all.flatMap(([, { whole }]) => whole.slice(0, 1).map(({ commit }) => commit)))
  const lake = seen > first.newest ? yield* examineLog(store, lakeLog, seen) : first
  return { lake, games, damage: [...lake.damage, ...[...games.values()].flatMap(({ damage }) => damage)] }
})

/** Continues damaged logs. Returns what was repaired, what was not, and the games that can be checked out. */
export const mendDocuments = Effect.fn("mendDocuments")(function* (store: BucketStore) {
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
  const lost: LostDocuments = new Map()
  const after = yield* examineLogs(store)
  for (const { whole } of [after.lake, ...after.games.values()])
    if (whole[0] !== undefined) yield* nameCommit(store, whole[0].commit, new Map(), lost)
  left.push(...[...lost].map(([key, { next, reason }]) => `${store.urlOf(key)} is damaged: ${reason}. ${next}`))
  const damaged = new Set([...lost.keys()].map(parseGame))
  const whole = [...after.games].flatMap(([gameId, log]) =>
    damaged.has(gameId) || log.damage.length > 0 || log.whole.length === 0 ? [] : [gameId]
  )
  return { done, left, whole }
})

export type MendedDocuments = Effect.Success<ReturnType<typeof mendDocuments>>

/** Returns the files of the last version of each report in the bucket, by month of the run. Object names say whose they are. */
const findReports = Effect.fnUntraced(function* (store: BucketStore) {
  const months = new Map<string, Record<string, StoredFile>>()
  const all = (yield* store.list(`${lakeLog.room}/objects/`)).toSorted((a, b) => a.writtenMillis - b.writtenMillis)
  for (const { path, sizeBytes } of all) {
    const [, sha256, run] = /\/([0-9a-f]{64})\.runs\.([^/]+-[^/]+)\.json$/.exec(path) ?? []
    if (sha256 === undefined || run === undefined) continue
    const name = `${run}.json`
    const month = monthOfPlace({ folder: reportsFolder, name })
    months.set(month, { ...months.get(month), [name]: [sha256, sizeBytes, attemptOfObject(path) ?? ""] })
  }
  return months
})

/** Rebuilds missing or damaged lists of runs from the existing reports. Returns the keys of the replaced lists. */
export const repairRuns = Effect.fn("repairRuns")(function* (store: BucketStore) {
  const from = yield* readLake(store)
  const refs = Object.entries(from?.commit.months ?? {}).flatMap(([month, ref]) =>
    "folders" in ref ? [] : [[month, ref] as const]
  )
  const lost = yield* Effect.filter(refs, ([, ref]) =>
    // A list that this release cannot read is intact, because a later release wrote it.
    store.fetchText(listKey(null, "month", ref), ref.sha256).pipe(
      Effect.as(false),
      Effect.catchIf(isLost, () => Effect.succeed(true))
    )
  )
  if (lost.length === 0) return []
  const reports = yield* findReports(store)
  const next = Effect.fnUntraced(function* (base: LakeHead | null, attempt: string) {
    // A month that another runner has written in the meantime is intact.
    const still = lost.filter(([month, ref]) => JSON.stringify(base?.commit.months[month]) === JSON.stringify(ref))
    if (base === null || still.length === 0) return null
    const months: Record<string, Ref | Month> = { ...base.commit.months }
    const objects: Array<NewObject> = []
    for (const [month] of still) {
      const value = { folders: { [reportsFolder]: { attempt, files: reports.get(month) ?? {} } } }
      const made = yield* makeList({ attempt, gameId: null }, "month", value)
      months[month] = made.ref
      objects.push(made.object)
    }
    yield* storeObjects(store, { attempt, room: lakeLog.room }, objects)
    return { ...base.commit, months }
  })
  yield* continueLog(store, lakeLog, { from, attempt: yield* newAttempt, next })
  return lost.map(([, ref]) => listKey(null, "month", ref))
})

/** Returns the newest night that a game was read for as a part; null if there is none. */
const lastPart = (heads: ReadonlyArray<GameHead>): NightId | null =>
  heads.reduce<NightId | null>((last, { commit: { part } }) => {
    if (part === undefined) return last
    return last === null || isLaterNight(part.night, last) ? part.night : last
  }, null)

/** Repairs the log of the lake, and publishes the newest commit of each game. Returns what it did, as sentences. */
export const repairLake = Effect.fn("repairLake")(function* (store: BucketStore) {
  const heads = yield* readGames(store)
  const seen = lastSeen(Array.from(heads.values(), ({ commit }) => commit))
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
  yield* publishGames(store, openLake(store, lake), yield* newAttempt, { ready: heads, changes: noChanges })
  return examined.damage.map(({ key, what }) => `${store.urlOf(key)} is damaged: ${what}. The next commit replaces it`)
})

/** Reads the newest commit of the lake, and repairs its log if that commit is damaged. */
export const readOrRepairLake = (
  store: BucketStore,
  known = 0
): Effect.Effect<LakeHead | null, BucketFailed | BucketBusy | LakeError> =>
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
  const seen = lastSeen(Array.from((yield* readGames(store, lake)).values(), ({ commit }) => commit))
  return seen > (lake?.number ?? 0) ? yield* readOrRepairLake(store, seen) : lake
})
