import { join } from "node:path"
import { Array, Effect, Schema } from "effect"
import { makeFolder, namesIn, removeAll, writeWhole } from "../../store/home/disk.ts"
import { runMillis } from "../../store/home/newRunId.ts"
import { alone, type Collection, collectionsFile, onlyOwner, type Own, ownPaths, readOwn, sqlOver } from "./Own.ts"

const head = `-- Adds your own cards to a lake that is open in DuckDB: .read own.sql
-- Cardlake rewrites this file with every import.

`

export const listImports = ({ collections }: Own) =>
  collections.flatMap(({ before, imports }) => [...imports, ...before].map(({ id }) => id))

/** Writes the SQL file through which a plain DuckDB reads the cards. */
export const writeOwnSql = Effect.fnUntraced(function* (own: Own) {
  const { cards, sql } = yield* ownPaths
  yield* writeWhole(sql, head + (sqlOver(own, cards) ?? ""), onlyOwner)
})

/** Removes all marks, and the folder of each killed or replaced import that the document does not name. */
const removeUnfinished = Effect.fnUntraced(function* (own: Own) {
  const { imports } = yield* ownPaths
  // Only run ids are valid marks: `...part` would name the parent folder.
  const ids = (yield* namesIn(imports))
    .flatMap((name) => /^(.*)\.part$/.exec(name)?.[1] ?? [])
    .filter((id) => runMillis(id) !== null)
  const folders = Array.difference(ids, listImports(own))
  // Folders come first, so an interrupted removal still has its marks and starts over.
  for (const names of [folders, ids.map((id) => `${id}.part`)])
    yield* removeAll(
      "Remove unfinished imports",
      names.map((name) => join(imports, name))
    )
})

/**
 * Changes the document in one step, exclusively, and removes the imports that it no longer names. Other folders stay,
 * such as those of a document that was deleted. Returns the result of the change.
 */
export const changeOwn = Effect.fn("changeOwn")(function* <A, E, R>(
  change: (own: Own) => Effect.Effect<readonly [next: Own, done: A], E, R>
) {
  const { unfinished } = yield* ownPaths
  const changed = Effect.gen(function* () {
    const before = yield* readOwn
    yield* removeUnfinished(before)
    const [next, done] = yield* change(before)
    const removed = Array.difference(listImports(before), listImports(next))
    yield* Effect.forEach(removed, (id) => makeFolder(unfinished(id)), { discard: true })
    yield* collectionsFile.write(next)
    yield* writeOwnSql(next)
    yield* removeUnfinished(next)
    return done
  })
  return yield* alone(changed)
})

/** No collection has that name, or it has nothing to restore. */
export class NoCollection extends Schema.TaggedError<NoCollection>()("NoCollection", {
  what: Schema.String,
  names: Schema.Array(Schema.String)
}) {
  override get message() {
    const there = this.names.length === 0 ? "No collections yet" : `Collections: ${this.names.join(", ")}`
    return `${this.what}. ${there}. Import one with: cardlake collection import FILE`
  }
}

const listNames = (collections: ReadonlyArray<Collection>) => collections.map(({ name }) => name)

/** Returns the collection of a name; fails with {@link NoCollection} if there is none. */
export const findCollection = (collections: ReadonlyArray<Collection>, name: string) => {
  const found = collections.find((one) => one.name === name)
  return found === undefined
    ? Effect.fail(new NoCollection({ what: `There is no collection ${name}`, names: listNames(collections) }))
    : Effect.succeed(found)
}

/** Restores the state before the last import of a collection; a second call undoes the first. */
export const restoreCollection = (name: string) =>
  changeOwn(
    Effect.fnUntraced(function* ({ collections }) {
      const found = yield* findCollection(collections, name)
      if (found.before.length === 0)
        return yield* new NoCollection({ what: `${name} has no earlier version`, names: listNames(collections) })
      const restored: Collection = { name, imports: found.before, before: found.imports }
      return [{ collections: collections.map((one) => (one === found ? restored : one)) }, restored] as const
    })
  )

export const removeCollection = (name: string) =>
  changeOwn(({ collections }) =>
    Effect.map(
      findCollection(collections, name),
      (found) => [{ collections: collections.filter((one) => one !== found) }, found] as const
    )
  )
