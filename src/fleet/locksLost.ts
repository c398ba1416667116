import { Effect, Fiber, Metric, Option } from "effect"
import { ClusterMetrics } from "effect/cluster"
import { SqlClient } from "effect/sql"

const lookEvery = "2 seconds"
const answersWithin = "10 seconds"

/** A part that is handed over takes at most 15 seconds; one that takes so many looks will never be free. */
const maxLooksOfRelease = 20

/**
 * Ends, with the reason, once the session that holds this member's locks has ended or Postgres does not answer: parts of
 * its work may be another's now, and the cluster may wait for ever before it hands them over.
 */
export const locksLost = Effect.fnUntraced(function* (applicationName: string) {
  const sql = yield* SqlClient.SqlClient
  const ask = sql`select distinct pid from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and application_name = ${applicationName}`.values
  let seen: ReadonlyArray<unknown> = []
  let looksOfRelease = 0
  while (true) {
    const asked = yield* Effect.forkChild(Effect.option(ask))
    // Not a timeout: that would wait for the end of a question that may have none.
    const answer = yield* Effect.raceFirst(Fiber.join(asked), Effect.as(Effect.sleep(answersWithin), Option.none()))
    if (Option.isNone(answer)) return "Postgres does not answer"
    const found = answer.value.map(([pid]) => pid)
    if (seen.some((pid) => !found.includes(pid))) return "its locks in Postgres are lost"
    seen = found
    const { value } = yield* Metric.value(ClusterMetrics.shardsReleasing)
    looksOfRelease = value > 0n ? looksOfRelease + 1 : 0
    if (looksOfRelease > maxLooksOfRelease) return "a part of the work could not be handed over"
    yield* Effect.sleep(lookEvery)
  }
})
