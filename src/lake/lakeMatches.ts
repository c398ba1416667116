import { existsSync } from "node:fs"
import { Effect } from "effect"
import type { Current } from "./Current.ts"
import { Home } from "./Home.ts"
import { sqlText } from "./Lake.ts"
import { openLake } from "./openLake.ts"

/**
 * Whether `lake.duckdb` holds what `current.json` says. It does not when a run died between its commit and the swap of the lake, when
 * the file was damaged or deleted, or when the home was moved: its views name the Parquet by its path.
 */
export const lakeMatches = Effect.fn("lakeMatches")(function* (current: Current) {
  const home = yield* Home
  const wanted = Object.entries(current.games).flatMap(([gameId, game]) =>
    game.published.map((snapshot) => `${gameId}/${snapshot}${snapshot === game.snapshot ? " current" : ""}`)
  )
  if (wanted.length === 0) return true
  if (!existsSync(home.lake)) return false
  const found = yield* Effect.flatMap(openLake, (session) =>
    session.rows(
      "Compare the lake with current.json",
      `select game_id || '/' || snapshot || if(is_current, ' current', '') as snapshot from snapshots
       where (
         select count(*) from duckdb_views()
         where (view_name in ('changes', 'reconciliations') or schema_name = 'files') and not contains(sql, ${sqlText(home.root)})
       ) = 0`
    )
  ).pipe(
    Effect.scoped,
    Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed([]))
  )
  const held = new Set(found.map((row) => String(row["snapshot"])))
  return held.size === wanted.length && wanted.every((snapshot) => held.has(snapshot))
})
