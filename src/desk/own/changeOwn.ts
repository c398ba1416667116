import { join } from "node:path"
import { Effect, Schema } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import { makeFolder, namesIn, removeAll, writeWhole } from "../../store/home/disk.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { millisOf, newRunId } from "../../store/home/newRunId.ts"
import { alone, onlyOwner, Own, ownPaths, readOwn, type Collection, sqlOver } from "./Own.ts"

const head = `-- The cards in this folder, beside a lake that DuckDB has open: .read own.sql
-- Cardlake writes this file anew with every import.

`

/** Every import that the document names. */
export const importsOf = ({ collections }: Own) =>
  collections.flatMap(({ before, imports }) => [...imports, ...before].map(({ id }) => id))

/** Writes what a plain DuckDB reads to have the cards. */
export const writeOwnSql = Effect.fnUntraced(function* (own: Own) {
  const { cards, sql } = yield* ownPaths
  yield* writeWhole(sql, head + (sqlOver(own, cards) ?? ""), onlyOwner)
})

/** Removes every mark, and the folder of each that the document does not name: of a killed import, or one that was replaced. */
const removeUnfinished = Effect.fnUntraced(function* (own: Own) {
  const { imports } = yield* ownPaths
  const named = new Set<string>(importsOf(own))
  // Only a run's id is a name of ours: `...part` would be a mark of the folder above.
  const marks = (yield* namesIn(imports)).filter(
    (name) => name.endsWith(".part") && millisOf(name.slice(0, -".part".length)) !== null
  )
  const folders = marks.map((name) => name.slice(0, -".part".length)).filter((id) => !named.has(id))
  // The marks go last: a removal that is stopped begins again.
  for (const names of [folders, marks]) {
    yield* removeAll(
      "Remove unfinished imports",
      names.map((name) => join(imports, name))
    )
  }
})

/**
 * Changes the document in one step, alone, and removes the imports that it no longer names; others, such as those of a
 * document that was lost, stay. Returns what the change did.
 */
export const changeOwn = Effect.fn("changeOwn")(function* <A, E, R>(
  run: RunId,
  change: (own: Own) => Effect.Effect<readonly [next: Own, done: A], E, R>
) {
  const paths = yield* ownPaths
  const changed = Effect.gen(function* () {
    const before = yield* readOwn
    yield* removeUnfinished(before)
    const [next, done] = yield* change(before)
    const named = new Set(importsOf(next))
    const gone = importsOf(before).filter((id) => !named.has(id))
    yield* Effect.forEach(gone, (id) => makeFolder(paths.unfinished(id)), { discard: true })
    yield* writeJson(paths.document, Own, next, onlyOwner)
    yield* writeOwnSql(next)
    yield* removeUnfinished(next)
    return done
  })
  return yield* alone(run, changed)
})

/** There is no collection of that name, or nothing that could be restored. */
export class NoCollection extends Schema.TaggedError<NoCollection>()("NoCollection", {
  what: Schema.String,
  names: Schema.Array(Schema.String)
}) {
  override get message() {
    const there = this.names.length === 0 ? "There is none yet" : `There are: ${this.names.join(", ")}`
    return `${this.what}. ${there}. Import one with: cardlake collection import FILE`
  }
}

const namesOf = (collections: ReadonlyArray<Collection>) => collections.map(({ name }) => name)

/** Brings back what counted before the last import of a collection; a second time undoes the first. */
export const restoreCollection = Effect.fn("restoreCollection")(function* (name: string) {
  return yield* changeOwn(yield* newRunId, ({ collections }) => {
    const found = collections.find((one) => one.name === name)
    const names = namesOf(collections)
    if (found === undefined) return new NoCollection({ what: `No collection is called ${name}`, names })
    if (found.before.length === 0)
      return new NoCollection({ what: `Nothing was in ${name} before what is there now`, names })
    const restored: Collection = { name, imports: found.before, before: found.imports }
    const next = collections.map((one) => (one.name === name ? restored : one))
    return Effect.succeed([{ collections: next }, restored] as const)
  })
})

/** Removes a collection with its files. */
export const removeCollection = Effect.fn("removeCollection")(function* (name: string) {
  return yield* changeOwn(yield* newRunId, ({ collections }) => {
    const found = collections.find((one) => one.name === name)
    if (found === undefined)
      return new NoCollection({ what: `No collection is called ${name}`, names: namesOf(collections) })
    return Effect.succeed([{ collections: collections.filter((one) => one !== found) }, found] as const)
  })
})
