import { join } from "node:path"
import { Effect, Schema } from "effect"
import { RunId } from "../../feed/contract/Ids.ts"
import { isThere, makeFolders } from "../../store/home/disk.ts"
import { FileDamaged } from "../../store/home/verifyFile.ts"
import { Home } from "../../store/home/Home.ts"
import { readJson } from "../../store/home/jsonFile.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { lockFolder } from "../../store/home/lock/lockHome.ts"

/** A file that was imported, and what became of its rows. */
export const Import = Schema.Struct({
  id: RunId,
  /** Its name where it was read, without the folders. */
  file: Schema.String,
  sha256: Schema.String,
  /** Whose file it is. */
  tool: Schema.String,
  importedAt: Schema.String,
  rows: Schema.Int,
  /** What its quantities add up to, and the single cards that these are. */
  quantity: Schema.Int,
  cards: Schema.Int,
  matched: Schema.Int,
  ambiguous: Schema.Int,
  unknown: Schema.Int
})
export type Import = typeof Import.Type

/** Cards under a name: the files that count now, and those that counted before the last change. */
export const Collection = Schema.Struct({
  name: Schema.String,
  imports: Schema.Array(Import),
  before: Schema.Array(Import)
})
export type Collection = typeof Collection.Type

/** `own/collections.json`: its rename is the commit of an import. */
export const Own = Schema.Struct({ collections: Schema.Array(Collection) })
export type Own = typeof Own.Type

/** Where a reader's own cards lie. */
export const ownPaths = Effect.map(Home, ({ own }) => ({
  root: own,
  document: join(own, "collections.json"),
  /** What gives a plain DuckDB the view and the macros. */
  sql: join(own, "own.sql"),
  lock: join(own, "lock"),
  imports: join(own, "imports"),
  /** Holds an import until it is whole; then marks a folder that the document does not name yet, or soon no more. */
  unfinished: (id: RunId) => join(own, "imports", `${id}.part`),
  import: (id: RunId) => join(own, "imports", id),
  cards: (id: RunId) => join(own, "imports", id, "cards.parquet")
}))

/** The collections of this home; none if nothing was ever imported. */
export const readOwn = Effect.gen(function* () {
  const { document, imports } = yield* ownPaths
  if (!isThere(document)) return { collections: [] } satisfies Own
  const next = `The lake has nothing to do with it. Restore it from a backup, or move it away and import your files again: each is in a folder of ${imports}, as it came, under the name file`
  return yield* readJson(document, Own).pipe(
    Effect.catchTag("FileDamaged", ({ file, what }) => new FileDamaged({ file, what, next }))
  )
})

/** Mode of the documents in `own/`, which may be a link into a folder that others may look into. */
export const onlyOwner = 0o600

/** Runs a change of `own/` while no other is at work; fails with {@link HomeBusy} if one is. Only its owner may look into the folder. */
export const alone = <A, E, R>(run: RunId, change: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const paths = yield* ownPaths
    yield* lakeStep(`Make ${paths.root}`, () => makeFolders(paths.root, 0o700))
    // Also where the folder is a link into one that others may look into, which stays as it is.
    yield* lakeStep(`Make ${paths.imports}`, () => makeFolders(paths.imports, 0o700))
    yield* lockFolder(paths, "change", run)
    return yield* change
  }).pipe(Effect.scoped)
