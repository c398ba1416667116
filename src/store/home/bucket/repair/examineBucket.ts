import { Effect } from "effect"
import { monotonicMillis } from "../../../../feed/disk/monotonicMillis.ts"
import { gameKey, gameOf, lakeKey } from "../bucketKeys.ts"
import { newAttempt } from "../newAttempt.ts"
import { isLost, readDocument } from "../bucketDocuments.ts"
import { type BucketStore, openStore } from "../BucketStore.ts"
import { isAhead, KeyDocument } from "../budget/keyDocument.ts"
import { nextOfDocument, nextOfLakeAlone, nextOfObject } from "../nextOfDamage.ts"
import { roomForHome } from "../address/roomForHome.ts"
import { type LostDocuments, namedKeys } from "../namedKeys.ts"
import { probeStore } from "../probeStore.ts"
import { litterOf } from "../sweepBucket.ts"

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
  /** The number of these attempts without a write for a week, which the next prune lists. */
  readonly old: number
  /** Addresses of referenced objects that are missing or have another size. */
  readonly damaged: ReadonlyArray<{ readonly object: string; readonly what: string; readonly next: string }>
}

/** Checks the guarantees of a home's store, and finds unfinished or abandoned attempts. */
export const examineBucket = Effect.fn("examineBucket")(function* (address: string) {
  const store = yield* openStore(address)
  const hasHome = yield* roomForHome(store)
  const nowMillis = yield* probeStore(store, yield* newAttempt)
  const lost: LostDocuments = new Map()
  const { named } = yield* namedKeys(store, lost)
  const all = (yield* Effect.forEach(["games/", "shared/"], (path) => store.list(path))).flat()
  // Objects that a missing document may name are not unreferenced.
  const litter = lost.size > 0 ? [] : litterOf(all, named, nowMillis)
  const written = new Map(all.map(({ path, writtenMillis }) => [path, writtenMillis]))
  const byAttempt = Map.groupBy(litter, ({ attempt }) => attempt)
  const sizes = new Map(all.map(({ path, sizeBytes }) => [path, sizeBytes]))
  const files = [...named].flatMap(([key, wanted]) => {
    const size = sizes.get(key)
    if (wanted === size || (wanted === null && (size !== undefined || lost.has(key) || key === lakeKey))) return []
    const what = size === undefined ? "it is missing" : `it has ${size} bytes instead of ${wanted}`
    return [{ object: store.urlOf(key), what, next: wanted === null ? nextOfDocument : nextOfObject(key) }]
  })
  const isAlone = [...lost.keys()].some((key) => key === gameKey(gameOf(key) ?? ""))
  const documents = [...lost].map(([key, { next, reason }]) => ({
    object: store.urlOf(key),
    what: reason,
    next: key === lakeKey && isAlone ? nextOfLakeAlone : next
  }))
  const budgets = yield* damagedBudgets(store)
  const isFresh = (path: string) => nowMillis - (written.get(path) ?? 0) < atWorkMillis
  return {
    hasHome,
    attempts: byAttempt.size,
    objects: litter.length,
    bytes: litter.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    // Objects that a swap replaced are old; objects of an unfinished attempt were never referenced.
    atWork: [...byAttempt].filter(([attempt, own]) => own.some(({ path }) => isFresh(path)) && !isNamed(named, attempt))
      .length,
    old: [...byAttempt.values()].filter((own) => own.every(({ isOld }) => isOld)).length,
    damaged: [...documents, ...files, ...budgets]
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

/** True if a document names an object of an attempt. The attempt has then ended. */
const isNamed = (named: ReadonlyMap<string, unknown>, attempt: string): boolean =>
  [...named.keys()].some((key) => key.includes(`/attempt-${attempt}/`))
