import { Effect } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import { gameLog, type LakeHead, lakeLog, readLake } from "../gameInBucket.ts"
import { repairLog, continueLog } from "../log/commitLog.ts"
import { type LostDocuments, nameGame, nameLake } from "../namedKeys.ts"
import { documentKey, gameOf, monthOfRun } from "../bucketKeys.ts"
import { repairLake } from "./repairLake.ts"
import { examineLogs } from "./examineLogs.ts"
import { isLost, makeDocument } from "../bucketDocuments.ts"
import { MonthOfRuns, type Ref, type StoredFile } from "../documents.ts"
import { attemptOfObject, type NewObject, storeObjects, newAttempt } from "../log/objects.ts"

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
  const [lake] = after.lake.whole
  if (lake !== undefined) yield* nameLake(store, lake.commit, new Map(), lost)
  for (const { whole } of after.games.values())
    if (whole[0] !== undefined) yield* nameGame(store, whole[0].commit, new Map(), lost)
  left.push(...[...lost].map(([key, { next, reason }]) => `${store.urlOf(key)} is damaged: ${reason}. ${next}`))
  const damaged = new Set([...lost.keys()].map(gameOf))
  const whole = [...after.games].flatMap(([gameId, log]) =>
    damaged.has(gameId) || log.damage.length > 0 || log.whole.length === 0 ? [] : [gameId]
  )
  return { done, left, whole }
})

export type MendedDocuments = Effect.Success<ReturnType<typeof mendDocuments>>

/** Returns the last version of each report in the bucket, by month of the run. Their names say what they are. */
const findReports = Effect.fnUntraced(function* (store: BucketStore) {
  const months = new Map<string, Record<string, StoredFile>>()
  const all = (yield* store.list(`${lakeLog.room}/objects/`)).toSorted((a, b) => a.writtenMillis - b.writtenMillis)
  for (const { path, sizeBytes } of all) {
    const [, sha256, run] = /\/([0-9a-f]{64})\.runs\.([^/]+-[^/]+)\.json$/.exec(path) ?? []
    if (sha256 === undefined || run === undefined) continue
    const file: StoredFile = [sha256, sizeBytes, attemptOfObject(path) ?? ""]
    months.set(monthOfRun(run), { ...months.get(monthOfRun(run)), [run]: file })
  }
  return months
})

/** Rebuilds missing or damaged lists of runs from the existing reports. Returns the keys of the replaced lists. */
export const repairRuns = Effect.fn("repairRuns")(function* (store: BucketStore) {
  const from = yield* readLake(store)
  const lost = yield* Effect.filter(Object.entries(from?.commit.runs ?? {}), ([, ref]) =>
    // A list that this release cannot read is intact, because a later release wrote it.
    store.fetchText(documentKey(null, "runs", ref), ref.sha256).pipe(
      Effect.as(false),
      Effect.catchIf(isLost, () => Effect.succeed(true))
    )
  )
  if (lost.length === 0) return []
  const reports = yield* findReports(store)
  const next = Effect.fnUntraced(function* (base: LakeHead | null, attempt: string) {
    // A month that another runner has written in the meantime is intact.
    const still = lost.filter(([month, { sha256 }]) => base?.commit.runs[month]?.sha256 === sha256)
    if (base === null || still.length === 0) return null
    const runs: Record<string, Ref> = { ...base.commit.runs }
    const objects: Array<NewObject> = []
    for (const [month] of still) {
      const value = { attempt, runs: reports.get(month) ?? {} }
      const made = yield* makeDocument({ gameId: null, kind: "runs", attempt, schema: MonthOfRuns, value })
      runs[month] = made.ref
      objects.push(made.object)
    }
    yield* storeObjects(store, { attempt, room: lakeLog.room }, objects)
    return { ...base.commit, runs }
  })
  yield* continueLog(store, lakeLog, { from, attempt: yield* newAttempt, next })
  return lost.map(([, ref]) => documentKey(null, "runs", ref))
})
