import { Effect } from "effect"
import { monotonicMillis } from "../../../../feed/disk/monotonicMillis.ts"
import { attemptOfObject, unreferencedObjects } from "../log/objects.ts"
import { isDamaged } from "../documents.ts"
import { type BucketStore, type FoundObject, openStore, readDocument } from "../BucketStore.ts"
import { isAhead, KeyDocument } from "../budget/keyDocument.ts"
import { missing, nextOfDamage, BucketFailed } from "../BucketFailed.ts"
import { roomForHome, checkStore } from "../homeAround.ts"
import { type UnreadableDocuments, nameCommit, type NamedKeys } from "../namedKeys.ts"
import { examineLogs } from "./repairDocuments.ts"
import { relative } from "node:path"
import type { LakeError } from "../../../../feed/reading/LakeError.ts"
import { isPack, keyOfFile } from "../bucketKeys.ts"
import type { Checkout } from "../checkOut.ts"
import { lookOf } from "../placeholders.ts"

/** The maximum age of the last write of an active or recently crashed runner. */
const atWorkMillis = 3600 * 1000

/** Checks the guarantees of a home's store, and finds unfinished or abandoned attempts. */
export const examineBucket = Effect.fn("examineBucket")(function* (address: string) {
  const store = yield* openStore(address)
  const hasHome = yield* roomForHome(store)
  const { atMillis: nowMillis } = yield* checkStore(store)
  const { damage, games, lake } = yield* examineLogs(store)
  const unreadable: UnreadableDocuments = new Map()
  const named: NamedKeys = new Map()
  const published = lake.whole[0]?.commit.games ?? {}
  const logs = [lake, ...games.values()]
  for (const { whole } of logs)
    for (const [index, { commit, number }] of whole.entries())
      if (index === 0 || ("gameId" in commit && number === published[commit.gameId]?.number))
        yield* nameCommit(store, commit, named, unreadable)
  // A repair replaces objects in the newest commit. What older ones lack does not count.
  const retained: NamedKeys = new Map(named)
  for (const { whole } of logs) for (const { commit } of whole) yield* nameCommit(store, commit, retained, new Map())
  const all = (yield* Effect.forEach(["games/", "lake/"], (path) => store.list(path))).flat()
  // Objects that a damaged commit or list may name are not unreferenced.
  const garbage = unreadable.size + damage.length > 0 ? [] : unreferencedObjects(all, retained, nowMillis)
  const byAttempt = Map.groupBy(garbage, ({ attempt }) => attempt)
  const sizes = new Map(all.map(({ path, sizeBytes }) => [path, sizeBytes]))
  const files = [...named].flatMap(([key, wanted]) => {
    const size = sizes.get(key)
    if (wanted === null || wanted === size || (isPack(key) && size !== undefined && size > wanted)) return []
    const what = size === undefined ? missing : `it has ${size} bytes instead of ${wanted}`
    return [{ object: store.urlOf(key), what, next: nextOfDamage(key, what) }]
  })
  const commits = damage.map(({ key, next, what }) => ({ object: store.urlOf(key), what, next }))
  const documents = [...unreadable].map(([key, { next, reason }]) => ({ object: store.urlOf(key), what: reason, next }))
  const budgets = yield* damagedBudgets(store)
  const isFresh = ({ writtenMillis }: FoundObject) => nowMillis - writtenMillis < atWorkMillis
  // Objects that a commit no longer names are old; objects of an unfinished attempt were never referenced.
  const ended = new Set([...retained.keys()].map(attemptOfObject))
  return {
    /** True if the address has any object of a home. */
    hasHome,
    /** The number of attempts with unreferenced objects, and the size of these objects. */
    attempts: byAttempt.size,
    objects: garbage.length,
    bytes: garbage.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    /** The number of these attempts with a write in the last hour. */
    atWork: [...byAttempt].filter(([attempt, own]) => own.some(isFresh) && !ended.has(attempt)).length,
    /** The number of these attempts without a write for a week, which the next prune deletes. */
    old: [...byAttempt.values()].filter((own) => own.every(({ isOld }) => isOld)).length,
    /** Addresses of damaged commits and lists, and of named objects that are missing or have another size. */
    damaged: [...commits, ...documents, ...files, ...budgets]
  }
}, Effect.scoped)

/** The state of a home in a bucket for `doctor`, except its readings. */
export type BucketState = Effect.Success<ReturnType<typeof examineBucket>>

/** Returns key budgets that are unreadable, or that would block their workers permanently. */
const damagedBudgets = Effect.fnUntraced(function* (store: BucketStore) {
  const bounds = { leaseMillis: 0, minuteMillis: 60_000 }
  const next = "Nothing to do: the next run that uses its key resets it"
  const found = yield* Effect.forEach(yield* store.list("keys/"), ({ path }) =>
    readDocument(store, path, KeyDocument).pipe(
      Effect.map((read) => {
        const time = store.clock.at(monotonicMillis())
        const isWrong = read !== null && time !== null && isAhead(read, bounds, time)
        return isWrong ? "its times are far ahead of the store's clock" : null
      }),
      Effect.catchIf(isDamaged, ({ reason }) => Effect.succeed(reason)),
      Effect.map((what) => (what === null ? [] : [{ object: store.urlOf(path), what, next }]))
    )
  )
  return found.flat()
})

/** An object that does not match its document, with its placeholder. */
export interface DamagedObject {
  readonly path: string
  /** The placeholder's path in the home. */
  readonly file: string
  readonly object: string
  /** The object, and the file in it if it contains several. */
  readonly label: string
  /** The damage, as the rest of a sentence: `it is missing`. */
  readonly what: string
}

const damageIn = (error: LakeError): string | null =>
  error.cause instanceof BucketFailed ? (error.cause.damage ?? null) : null

/**
 * Downloads and validates all files of a checked-out home. Files that the bucket has lost remain without content, so
 * that a repair finds them damaged, as in a folder. Documents still name files that were not repaired.
 */
export const damagedHere = Effect.fn("damagedHere")(function* ({ here, store }: Checkout) {
  const found: Array<DamagedObject> = []
  yield* here.obtainAll((error, file, path) => {
    const what = damageIn(error)
    if (what === null) return Effect.fail(error)
    return Effect.sync(() => {
      file.isHere = true
      file.isDamaged = true
      const object = store.urlOf(keyOfFile(file))
      const label = file.position === undefined ? object : `${object}#${file.name}`
      found.push({ path, file: relative(here.root, path), object, label, what })
    })
  })
  return found.toSorted((a, b) => (a.label < b.label ? -1 : 1))
})

/** Returns the objects that the repair has not replaced. */
export const stillDamaged = ({ here }: Pick<Checkout, "here">, damaged: ReadonlyArray<DamagedObject>) =>
  damaged.filter(({ path }) => here.known.get(path)?.look === lookOf(path))
