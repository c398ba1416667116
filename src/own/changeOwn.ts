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

/** Changes the document in one step, alone, and removes the imports that it no longer names. Returns what the change did. */
export const changeOwn = Effect.fn("changeOwn")(function* <A, E, R>(
  run: RunId,
  change: (own: Own) => Effect.Effect<readonly [next: Own, done: A], E, R>
) {
  const paths = yield* ownPaths
  const changed = Effect.gen(function* () {
    const [next, done] = yield* change(yield* readOwn)
    yield* writeJson(paths.document, Own, next)
    yield* writeWhole(paths.sql, head + (sqlOver(next, paths.cards) ?? ""))
    const named = new Set(
      next.collections.flatMap(({ before, imports }) => [...imports, ...before].map(({ id }): string => id))
    )
    const there = yield* namesIn(paths.imports)
    yield* removeAll(
      "Remove earlier imports",
      there.filter((name) => !named.has(name)).map((name) => join(paths.imports, name))
    )
    return done
  })
  return yield* alone(run, changed)
})
