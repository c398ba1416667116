import { join } from "node:path"
import { Effect } from "effect"
import type { RunId } from "../contract/Ids.ts"
import { namesIn, removeAll, writeWhole } from "../home/disk.ts"
import { writeJson } from "../home/jsonFile.ts"
import { alone } from "./alone.ts"
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
  yield* writeWhole(sql, head + (sqlOver(own, cards) ?? ""))
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
    const unfinished = (yield* namesIn(paths.imports)).filter((name) => name.endsWith(".part"))
    yield* removeAll(
      "Remove unfinished imports",
      unfinished.map((name) => join(paths.imports, name))
    )
    const before = yield* readOwn
    const [next, done] = yield* change(before)
    yield* writeJson(paths.document, Own, next)
    yield* writeOwnSql(next)
    const named = new Set(importsOf(next))
    yield* removeAll(
      "Remove earlier imports",
      importsOf(before)
        .filter((id) => !named.has(id))
        .map(paths.import)
    )
    return done
  })
  return yield* alone(run, changed)
})
