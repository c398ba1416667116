import { Effect, DateTime } from "effect"
import { BucketFailed } from "../BucketFailed.ts"
import type { BucketStore, FoundObject, ObjectContent } from "../BucketStore.ts"
import { randomHex } from "../../../../feed/disk/random.ts"

export interface NewObject {
  readonly key: string
  readonly from: ObjectContent
  readonly sizeBytes: number
}

/** Returns the key of an object. Its name begins with its checksum. */
export const objectKey = (room: string, attempt: string, sha256: string, name: string): string =>
  `${room}/objects/${attempt}/${sha256}.${name}`

/** Returns the folder of the pages of readings that have not ended. The list that finds the newest commit has them, too. */
export const openFolder = (room: string): string => `${room}/commits/open/`

/** Returns the attempt that wrote an object; null for any other key. */
export const attemptOfObject = (key: string): string | null =>
  /^(?:lake|games\/[^/]+)\/(?:objects|commits\/open)\/([0-9A-Za-z-]{1,64})\//.exec(key)?.[1] ?? null

const writesAtOnce = 8

/** Returns the objects that the store does not have. One list is enough, unless it lags. */
const findMissing = Effect.fnUntraced(function* (
  store: BucketStore,
  { attempt, room }: { readonly attempt: string; readonly room: string },
  objects: ReadonlyArray<NewObject>
) {
  const listed = yield* store.list(`${room}/objects/${attempt}/`)
  const sizes = new Map(listed.map(({ path, sizeBytes }) => [path, sizeBytes]))
  const unlisted = objects.filter(({ key, sizeBytes }) => sizes.get(key) !== sizeBytes)
  return yield* Effect.filter(unlisted, ({ key, sizeBytes }) =>
    Effect.match(store.sizeOf(key), { onSuccess: (found) => found !== sizeBytes, onFailure: () => true })
  )
})

/**
 * Stores all objects of an attempt that its commit will name, then lists them once: a store may lose an object that it
 * has confirmed. Missing objects are written again once.
 */
export const storeObjects = Effect.fn("storeObjects")(function* (
  store: BucketStore,
  folder: { readonly attempt: string; readonly room: string },
  objects: ReadonlyArray<NewObject>
) {
  if (objects.length === 0) return
  let missing = objects
  for (let tries = 0; tries < 2; tries++) {
    yield* Effect.forEach(missing, ({ from, key, sizeBytes }) => store.create(key, from, sizeBytes), {
      concurrency: writesAtOnce,
      discard: true
    })
    missing = yield* findMissing(store, folder, missing)
    if (missing.length === 0) return
    const names = missing.map(({ key }) => store.urlOf(key))
    if (tries === 0)
      yield* Effect.logWarning(`The store has lost ${names.join(", ")} after it confirmed the write. Writing again`)
  }
  return yield* new BucketFailed({
    step: `Write ${store.urlOf(missing[0]?.key ?? "")}`,
    reason: "the store confirmed the write twice and does not have the object",
    next: "Published data is safe. Check the store, then run this again"
  })
})

/** The minimum age of unreferenced objects and of commits before deletion, for runners and readers at work. */
export const retainedMillis = 7 * 24 * 3600 * 1000

/** Returns the unreferenced objects. `isOld` is true if nothing of the attempt was written for a week. */
export const unreferencedObjects = (
  all: ReadonlyArray<FoundObject>,
  named: { readonly has: (key: string) => boolean },
  nowMillis: number
) => {
  const newest = new Map<string, number>()
  for (const { path, writtenMillis } of all) {
    const attempt = attemptOfObject(path)
    if (attempt !== null) newest.set(attempt, Math.max(newest.get(attempt) ?? 0, writtenMillis))
  }
  return all.flatMap((object) => {
    const attempt = attemptOfObject(object.path)
    if (attempt === null || named.has(object.path)) return []
    return [{ ...object, attempt, isOld: nowMillis - (newest.get(attempt) ?? 0) > retainedMillis }]
  })
}

/** Generates an attempt's name. Each attempt of a command has separate folders for its objects. */
export const newAttempt = Effect.gen(function* () {
  const at = DateTime.formatIso(yield* DateTime.now).replaceAll(/[-:.]/g, "")
  return `${at}-${yield* randomHex(4)}`
})
