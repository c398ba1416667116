import { DateTime, Effect } from "effect"
import { clockSlackMillis } from "../../home/clockSlack.ts"
import { readingsTable } from "./historyTables.ts"
import { readConfirmations } from "./storeConfirmations.ts"
import type { Session } from "../duckdb/Lake.ts"
import { commentSql } from "../../../feed/schema/tableFile.ts"

/** Makes table `readings` from `nights`, table `runs`, and what removed run reports said. */
export const publishReadings = Effect.fnUntraced(function* (session: Session, games: ReadonlyArray<string>) {
  const confirmations = yield* Effect.forEach(games, (gameId) =>
    // If one cannot be read, only its own nights are missing.
    Effect.catchTag(readConfirmations(gameId), "FileDamaged", ({ message }) =>
      Effect.as(Effect.logWarning(message), [])
    )
  )
  const until = DateTime.add(yield* DateTime.now, { milliseconds: clockSlackMillis })
  yield* session.set({
    confirmations: JSON.stringify(confirmations.flat()),
    readings_until: DateTime.formatIso(until)
  })
  yield* session.run(
    "Gather the nights without news",
    `create or replace temporary table confirmed as
     select c."gameId" as game_id, c.snapshot as snapshot, c."seenAt" as seen_at, c.dialect as dialect
     from (
       select unnest(from_json(getvariable('confirmations'), '[{"gameId": "varchar", "snapshot": "varchar", "seenAt": "timestamptz", "dialect": "varchar"}]')) as c
     )
     union all
     select game_id, snapshot, started_at, dialect from runs where verdict = 'unchanged'`
  )
  yield* session.run("Publish readings", `${readingsTable.sql}; ${commentSql(readingsTable, "table")}`)
})
