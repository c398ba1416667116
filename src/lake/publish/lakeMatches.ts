import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { SnapshotId } from "../../contract/Ids.ts"
import type { Current } from "./Current.ts"
import { Home } from "../home/Home.ts"
import { sqlText } from "../duckdb/sqlText.ts"
import { publishedChain } from "../history/nights.ts"
import { lakeProgram } from "./publish.ts"
import { openLake } from "./openLake.ts"
import { partsOf } from "../history/parts.ts"
import { readSnapshot } from "../snapshot/snapshots.ts"

/** A path as the text of a view has it, where its apostrophes are doubled. */
const asInSql = (path: string): string => sqlText(path.replaceAll("'", "''"))

/**
 * Whether `lake.duckdb` holds what `current.json` says and reads the present parts of the history. It does not when a run died between its
 * commit or a new part and the swap of the lake, when the file was damaged or deleted, when the home was moved (its views name the
 * Parquet by its path), or when another release built it.
 */
export const lakeMatches = Effect.fn("lakeMatches")(function* (current: Current) {
  const home = yield* Home
  const wanted = Object.entries(current.games).flatMap(([gameId, game]) =>
    game.published.map((snapshot) => `${gameId}/${snapshot}${snapshot === game.snapshot ? " current" : ""}`)
  )
  if (wanted.length === 0) return true
  if (!existsSync(home.lake)) return false
  const parts = yield* Effect.forEach(Object.keys(current.games), (gameId) => {
    const chain = new Set(publishedChain(current, gameId))
    return Effect.map(partsOf(gameId), (parts) =>
      parts.filter(({ part }) => part.nights.some(({ snapshot }) => chain.has(snapshot)))
    )
  })
  const named = parts.flat().map(({ folder }) => `and contains(sql, ${asInSql(join(folder, "source_prices.parquet"))})`)
  const found = yield* Effect.flatMap(openLake, (session) =>
    session.rows(
      "Compare the lake with current.json",
      `select game_id || '/' || snapshot || if(is_current, ' current', '') as snapshot from snapshots
       where (
         select count(*) from duckdb_views()
         where (view_name in ('changes', 'reconciliations') or schema_name = 'files') and view_name <> 'built_by'
           and not contains(sql, ${asInSql(home.root)})
       ) = 0
       and exists (from duckdb_views() where schema_name = 'files' and view_name = 'built_by' and contains(sql, '${lakeProgram}'))
       and exists (from duckdb_views() where schema_name = 'files' and view_name = 'source_prices' ${named.join(" ")})`
    )
  ).pipe(
    Effect.scoped,
    Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed([]))
  )
  const held = new Set(found.map((row) => String(row["snapshot"])))
  const missing = wanted.filter((snapshot) => !held.has(snapshot))
  // A snapshot whose manifest cannot be read is in no lake.
  const readable = yield* Effect.filter(missing, (name) => {
    const [gameId = "", snapshot = ""] = name.replace(/ current$/, "").split("/")
    return Effect.isSuccess(readSnapshot(home.snapshot(gameId, SnapshotId.make(snapshot))))
  })
  return found.length > 0 && readable.length === 0 && held.size === wanted.length - missing.length
})
