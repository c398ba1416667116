import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const lookEvery = "5 seconds"
const looks = 6

/**
 * Ends once a member has held no lock in Postgres for half a minute, though Postgres answers. Where its sessions were
 * ended in the middle of a night, the cluster may wait for ever before it takes locks again.
 */
export const whenLocksAreLost = Effect.fnUntraced(function* (applicationName: string) {
  const sql = yield* SqlClient.SqlClient
  const held = sql`select count(*)::int from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and application_name = ${applicationName}`.values
  let without = 0
  while (without < looks) {
    yield* Effect.sleep(lookEvery)
    const [row] = yield* Effect.orElseSucceed(held, () => [])
    without = row !== undefined && Number(row[0]) === 0 ? without + 1 : 0
  }
})
