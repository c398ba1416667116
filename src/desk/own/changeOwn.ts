import { join } from "node:path"
import { Effect } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import { makeFolder, namesIn, removeAll, writeWhole } from "../../store/home/disk.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { millisOf } from "../../store/home/newRunId.ts"
import { alone, onlyOwner } from "./alone.ts"
import { Own, ownPaths, readOwn } from "./Own.ts"
import { sqlOver } from "./ownSql.ts"

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
