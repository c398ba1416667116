import { dirname } from "node:path/posix"
import { Effect } from "effect"
import { BucketFailed } from "./BucketFailed.ts"
import { attemptOf, fileKey, gameOf } from "./bucketKeys.ts"
import type { BucketStore } from "./BucketStore.ts"
import type { FreshFile } from "./changesHere.ts"

/** An object that the store has confirmed, with its source. */
interface Written {
  readonly key: string
  readonly from: { readonly file: string } | Buffer
  readonly sizeBytes: number
}

/** Returns the folder of an object's attempt. */
const folderOf = (key: string): string => /^.*?\/attempt-[^/]+\//.exec(key)?.[0] ?? `${dirname(key)}/`

/** Returns objects that are missing or have another size. Sends one request for a game of up to 1,000 objects. */
const missingOf = Effect.fnUntraced(function* (store: BucketStore, room: string, written: ReadonlyArray<Written>) {
  const page = yield* store.first(room)
  const folders = page.isAll ? [] : [...new Set(written.map(({ key }) => folderOf(key)))]
  const listed = yield* Effect.forEach(folders, (folder) => store.list(folder), { concurrency: 8 })
  const sizes = new Map([...page.found, ...listed.flat()].map(({ path, sizeBytes }) => [path, sizeBytes]))
  return written.filter(({ key, sizeBytes }) => sizes.get(key) !== sizeBytes)
})

/**
 * Checks that all objects of an attempt exist before a document names them: a store may lose an object after status
 * 200. Missing objects are uploaded again once. Fails if they are missing afterwards.
 */
export const assureStored = Effect.fn("assureStored")(function* (
  store: BucketStore,
  attempt: string,
  { files, gameId }: { readonly gameId: string | null; readonly files: ReadonlyArray<FreshFile> }
) {
  const documents = [...store.documents].filter(([key]) => attemptOf(key) === attempt && gameOf(key) === gameId)
  const written: ReadonlyArray<Written> = [
    ...files.map((file) => {
      const key = fileKey(gameId, { ...file, path: file.folder ?? file.name, attempt })
      return { key, from: { file: file.path }, sizeBytes: file.sizeBytes }
    }),
    ...documents.map(([key, from]) => ({ key, from, sizeBytes: from.length }))
  ]
  const room = gameId === null ? "shared/" : `games/${gameId}/`
  const missing = yield* missingOf(store, room, written)
  if (missing.length === 0) return
  const names = missing.map(({ key }) => store.urlOf(key))
  yield* Effect.logWarning(`The store has lost ${names.join(", ")} after it confirmed the write. Writing again`)
  yield* Effect.forEach(missing, ({ from, key, sizeBytes }) => store.create(key, from, sizeBytes), { concurrency: 8 })
  const [lost] = yield* missingOf(store, room, missing)
  if (lost === undefined) return
  return yield* new BucketFailed({
    step: `Write ${store.urlOf(lost.key)}`,
    reason: "the store confirmed the write twice and does not have the object",
    next: "Published data is safe. Check the store, then run this again"
  })
})
