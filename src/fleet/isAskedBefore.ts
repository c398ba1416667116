import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Whether the game of an element of the queue was asked for before it and has not ended: a worker reads it, or will.
 * Only the queue's own table says so.
 */
export const isAskedBefore = Effect.fnUntraced(function* (table: string, queue: string, id: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from ${sql(table)} own join ${sql(table)} earlier using (queue_name)
    where own.id = ${id} and queue_name = ${queue} and earlier.state = 'pending' and earlier.sequence < own.sequence
      and earlier.element::json ->> 'gameId' = own.element::json ->> 'gameId' limit 1`.values
  return found.length > 0
})
