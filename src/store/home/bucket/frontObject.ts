import { Effect, Option, Schema } from "effect"
import { BucketBusy } from "./BucketFailed.ts"
import type { BucketStore } from "./BucketStore.ts"
import { frontFile } from "../homePaths.ts"

/** The folder of a front's own files. Its name begins with the number of the lake's commit. */
const Folder = Schema.String.check(Schema.isPattern(/^fronts\/\d{10}-[0-9a-f]{16}$/))
const isFolder = Schema.is(Folder)

export const frontFolder = (number: number, sum: string): string => `fronts/${String(number).padStart(10, "0")}-${sum}`

const parseNumber = (folder: string): number => Number(/^fronts\/(\d{10})-/.exec(folder)?.[1] ?? 0)

/** The metadata of the object `front.duckdb`. */
const Notes = Schema.Struct({
  folder: Folder,
  /** The folder of the front that it replaced; absent for the first. */
  before: Schema.optionalKey(Folder),
  base: Schema.String
})

/** Returns the front of a bucket; null if it has none. A front without notes counts as the oldest. */
export const readFront = Effect.fnUntraced(function* (store: BucketStore) {
  const found = yield* store.notesOf(frontFile)
  if (found === null) return null
  const notes = Option.getOrNull(Schema.decodeUnknownOption(Notes)(found.notes))
  const folders = notes === null ? [] : [notes.folder, ...(notes.before === undefined ? [] : [notes.before])]
  return { tag: found.tag, folders, number: parseNumber(folders[0] ?? ""), base: notes?.base ?? null }
})

/** Returns the numbers of the commits that the last two fronts are of, for garbage collection. */
export const commitsOfFronts = (store: BucketStore) =>
  Effect.map(readFront(store), (front) => (front?.folders ?? []).map(parseNumber).filter((number) => number > 0))

const maxTries = 8

/**
 * Replaces `front.duckdb` by that of a commit, unless the bucket has one of a later commit. Then deletes the folders of
 * earlier fronts, except those of the two that it follows. Returns how many files that were; null if there is a later one.
 */
export const swapFront = Effect.fn("swapFront")(function* (
  store: BucketStore,
  content: Buffer,
  { base, folder }: { readonly base: string; readonly folder: string }
) {
  for (let tries = 0; tries < maxTries; tries++) {
    const there = yield* readFront(store)
    if (there !== null && there.number > parseNumber(folder)) return null
    const earlier = (there?.folders ?? []).filter((one) => one !== folder)
    const [before] = earlier
    const notes = { folder, base, ...(before === undefined ? {} : { before }) }
    if (!(yield* store.swap(frontFile, content, there?.tag ?? null, notes))) continue
    const kept = new Set([folder, ...earlier])
    const old = (yield* store.list("fronts/")).filter(({ path }) => {
      const other = path.slice(0, path.lastIndexOf("/"))
      return isFolder(other) && !kept.has(other) && parseNumber(other) < parseNumber(folder)
    })
    yield* Effect.forEach(old, ({ path }) => store.remove(path), { concurrency: 8, discard: true })
    return old.length
  }
  return yield* new BucketBusy({ document: store.urlOf(frontFile) })
})
