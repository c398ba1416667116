import { existsSync } from "node:fs"
import { Effect } from "effect"
import { readingsTable } from "./historyTables.ts"
import { Home } from "./Home.ts"
import { readConfirmations } from "./keepConfirmations.ts"
import type { Session } from "./Lake.ts"
import { sqlText } from "./sqlText.ts"
import { commentSql } from "./tableFile.ts"

/** Makes table `readings` out of `nights`, of table `runs` where there is one, and of what removed run reports said. */
export const publishReadings = Effect.fnUntraced(function* (
  session: Session,
  games: ReadonlyArray<string>,
  hasRuns: boolean
) {
  const home = yield* Home
  // One that cannot be read takes its own nights away and no more.
  const isReadable = (gameId: string) =>
    Effect.match(readConfirmations(gameId), {
      onSuccess: () => existsSync(home.confirmations(gameId)),
      onFailure: () => false
    })
  const kept = (yield* Effect.filter(games, isReadable)).map(home.confirmations)
  const columns = `{"gameId": 'varchar', snapshot: 'varchar', "seenAt": 'timestamptz'}`
  const sources = [
    hasRuns ? "select game_id, snapshot, started_at from runs where verdict = 'unchanged'" : null,
    kept.length === 0
      ? null
      : `select "gameId", snapshot, "seenAt" from read_json([${kept.map(sqlText).join(", ")}], columns = ${columns}, hive_partitioning = false)`
  ]
  yield* session.run(
    "Gather the nights without news",
    [
      "create temporary table confirmed (game_id varchar, snapshot varchar, seen_at timestamptz)",
      ...sources.flatMap((source) => (source === null ? [] : [`insert into confirmed ${source}`]))
    ].join(";\n")
  )
  yield* session.run("Publish readings", `${readingsTable.sql}; ${commentSql(readingsTable, "table")}`)
})
