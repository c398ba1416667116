import { Effect } from "effect"
import { monotonicMillis } from "../../../../feed/disk/monotonicMillis.ts"
import { newAttempt, attemptOfObject, unreferencedObjects } from "../log/objects.ts"
import { isLost, readDocument } from "../documents.ts"
import { type BucketStore, type FoundObject, openStore } from "../BucketStore.ts"
import { isAhead, KeyDocument } from "../budget/keyDocument.ts"
import { missing, nextOfObject } from "../BucketFailed.ts"
import { roomForHome, probeStore } from "../homeAround.ts"
import { type LostDocuments, nameCommit, type NamedKeys } from "../namedKeys.ts"
import { examineLogs } from "./mendDocuments.ts"

/** The maximum age of the last write of an active or recently crashed runner. */
const atWorkMillis = 3600 * 1000

/** The state of a home in a bucket for `doctor`, except its readings. */
export interface BucketState {
  /** True if the address has any object of a home. */
  readonly hasHome: boolean
  /** The number of attempts with unreferenced objects, and the size of these objects. */
  readonly attempts: number
  readonly objects: number
  readonly bytes: number
  /** The number of these attempts with a write in the last hour. */
  readonly atWork: number
  /** The number of these attempts without a write for a week, which the next prune deletes. */
  readonly old: number
  /** Addresses of damaged commits and lists, and of named objects that are missing or have another size. */
  readonly damaged: ReadonlyArray<{ readonly object: string; readonly what: string; readonly next: string }>
}

/** Checks the guarantees of a home's store, and finds unfinished or abandoned attempts. */
export const examineBucket = Effect.fn("examineBucket")(function* (address: string) {
  const store = yield* openStore(address)
  const hasHome = yield* roomForHome(store)
  const nowMillis = yield* probeStore(store, yield* newAttempt)
  const { damage, games, lake } = yield* examineLogs(store)
  const lost: LostDocuments = new Map()
  const named: NamedKeys = new Map()
  const published = lake.whole[0]?.commit.games ?? {}
  const newest = [lake, ...games.values()].flatMap(({ whole }) => (whole[0] === undefined ? [] : [whole[0].commit]))
  const ofLake = [...games].flatMap(([gameId, { whole }]) =>
    whole.filter(({ number }) => number === published[gameId]?.number).map(({ commit }) => commit)
  )
  for (const commit of [...newest, ...ofLake]) yield* nameCommit(store, commit, named, lost)
  // A repair replaces objects in the newest commit. What older ones lack does not count.
  const retained: NamedKeys = new Map(named)
  for (const { whole } of [lake, ...games.values()])
    for (const { commit } of whole) yield* nameCommit(store, commit, retained, new Map())
  const all = (yield* Effect.forEach(["games/", "lake/"], (path) => store.list(path))).flat()
  // Objects that a damaged commit or list may name are not unreferenced.
  const garbage = lost.size + damage.length > 0 ? [] : unreferencedObjects(all, retained, nowMillis)
  const byAttempt = Map.groupBy(garbage, ({ attempt }) => attempt)
  const sizes = new Map(all.map(({ path, sizeBytes }) => [path, sizeBytes]))
  const files = [...named].flatMap(([key, wanted]) => {
    const size = sizes.get(key)
    if (wanted === null || wanted === size) return []
    const what = size === undefined ? missing : `it has ${size} bytes instead of ${wanted}`
    return [{ object: store.urlOf(key), what, next: nextOfObject(key) }]
  })
  const commits = damage.map(({ key, next, what }) => ({ object: store.urlOf(key), what, next }))
  const documents = [...lost].map(([key, { next, reason }]) => ({ object: store.urlOf(key), what: reason, next }))
  const budgets = yield* damagedBudgets(store)
  const isFresh = ({ writtenMillis }: FoundObject) => nowMillis - writtenMillis < atWorkMillis
  // Objects that a commit no longer names are old; objects of an unfinished attempt were never referenced.
  const ended = new Set([...retained.keys()].map(attemptOfObject))
  return {
    hasHome,
    attempts: byAttempt.size,
    objects: garbage.length,
    bytes: garbage.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    atWork: [...byAttempt].filter(([attempt, own]) => own.some(isFresh) && !ended.has(attempt)).length,
    old: [...byAttempt.values()].filter((own) => own.every(({ isOld }) => isOld)).length,
    damaged: [...commits, ...documents, ...files, ...budgets]
  } satisfies BucketState
}, Effect.scoped)

/** Returns key budgets that are unreadable, or that would block their workers permanently. */
const damagedBudgets = Effect.fnUntraced(function* (store: BucketStore) {
  const minuteMillis = 60_000
  const next = "Nothing to do: the next run that uses its key resets it"
  const found = yield* Effect.forEach(yield* store.list("keys/"), ({ path }) =>
    readDocument(store, path, KeyDocument).pipe(
      Effect.map((read) => {
        const time = store.clock.at(monotonicMillis())
        const isWrong = read !== null && time !== null && isAhead(read.document, { leaseMillis: 0, minuteMillis }, time)
        return isWrong
          ? [{ object: store.urlOf(path), what: "its times are far ahead of the store's clock", next }]
          : []
      }),
      Effect.catchIf(isLost, ({ reason }) => Effect.succeed([{ object: store.urlOf(path), what: reason, next }]))
    )
  )
  return found.flat()
})
