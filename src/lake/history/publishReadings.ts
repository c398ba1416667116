import { DateTime, Effect } from "effect"
import { clockSlackMillis } from "../home/clockSlack.ts"
import { readingsTable } from "./historyTables.ts"
import { readConfirmations } from "./keepConfirmations.ts"
import type { Session } from "../duckdb/Lake.ts"
import { commentSql } from "../duckdb/tableFile.ts"

/** Makes table `readings` out of `nights`, of table `runs`, and of what removed run reports said. */
export const publishReadings = Effect.fnUntraced(function* (session: Session, games: ReadonlyArray<string>) {
  const kept = yield* Effect.forEach(games, (gameId) =>
    // One that cannot be read takes its own nights away and no more.
    Effect.catchTag(readConfirmations(gameId), "FileDamaged", ({ message }) =>
      Effect.as(Effect.logWarning(message), [])
    )
  )
  const until = DateTime.add(yield* DateTime.now, { milliseconds: clockSlackMillis })
  yield* session.set({
    confirmations: JSON.stringify(kept.flat()),
    readings_until: DateTime.formatIso(until)
  })
  yield* session.run(
    "Gather the nights without news",
    `create or replace temporary table confirmed as
     select c."gameId" as game_id, c.snapshot as snapshot, c."seenAt" as seen_at
     from (
       select unnest(from_json(getvariable('confirmations'), '[{"gameId": "varchar", "snapshot": "varchar", "seenAt": "timestamptz"}]')) as c
     )
     union all
     select game_id, snapshot, started_at from runs where verdict = 'unchanged'`
  )
  yield* session.run("Publish readings", `${readingsTable.sql}; ${commentSql(readingsTable, "table")}`)
})
