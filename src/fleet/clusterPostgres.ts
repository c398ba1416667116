import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Predicate, Redacted, Schedule } from "effect"
import { FleetUnfit } from "./FleetUnfit.ts"

/** Since then Postgres ends the session of a program that stopped answering, which frees its locks. */
const oldestVersion = 140_000

/** The address as it may be shown. */
export const clusterName = (url: Redacted.Redacted): string => {
  const { hostname, pathname, port } = new URL(Redacted.value(url))
  return `postgres://${hostname}${port === "" ? "" : `:${port}`}${pathname}`
}

/** Whether another connection, while it is in a transaction, has the Postgres process of this one. */
const sharesSessions = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const first = yield* sql.reserve
  const askPid = first.executeValuesUnprepared("select pg_backend_pid()", [])
  for (let turn = 0; turn < 3; turn++) {
    const [before] = yield* askPid
    const isShared = sql.withTransaction(
      Effect.gen(function* () {
        const [other] = yield* sql`select pg_backend_pid()`.valuesUnprepared
        const [after] = yield* askPid
        return other?.[0] === before?.[0] || after?.[0] !== before?.[0]
      })
    )
    if (yield* isShared) return true
  }
  return false
}, Effect.scoped)

/** Ends with a sentence if Postgres is not there, is too old, or is behind a pooler whose sessions are not one's own. */
const checkPostgres = Effect.fn("checkPostgres")(function* (url: Redacted.Redacted) {
  const unfit = (reason: string) => new FleetUnfit({ at: clusterName(url), reason })
  // Poolers that share sessions do not know statements prepared by name.
  const services = yield* Layer.build(
    PgClient.layer({ url, prepare: false, maxConnections: 2, connectTimeout: "5 seconds" })
  )
  const client = Context.get(services, PgClient.PgClient)
  return yield* Effect.gen(function* () {
    const [version] = yield* client`select current_setting('server_version_num')::int`.valuesUnprepared
    if (Number(version?.[0]) < oldestVersion)
      return yield* unfit("a fleet needs Postgres 14 or later. Name another one with --cluster")
    if (yield* sharesSessions(client))
      return yield* unfit(
        "a pooler gives each transaction another session, so that no lock holds. " +
          "Name Postgres itself, or the pooler's port for sessions (pool_mode = session)"
      )
  }).pipe(Effect.timeout("15 seconds"))
}, Effect.scoped)

const noDatabase = "3D000"

/** Errors that waiting does not mend. */
const stays = new Set(["AuthenticationError", "AuthorizationError", "SqlSyntaxError"])

/** What Postgres or the network said, where the client kept it. */
const causeOf = (reason: unknown): { readonly code: unknown; readonly message: string } | null => {
  const cause = Predicate.hasProperty(reason, "cause") ? reason.cause : null
  if (!(cause instanceof Error)) return null
  return { code: "code" in cause ? cause.code : null, message: cause.message }
}

/** Whether Postgres may answer another time. */
export const isAway = (error: { readonly _tag: string; readonly reason: unknown }): boolean =>
  error._tag === "SqlError" &&
  Predicate.hasProperty(error.reason, "_tag") &&
  !stays.has(String(error.reason._tag)) &&
  causeOf(error.reason)?.code !== noDatabase

/** The fleet's Postgres. Locks of the fleet belong to sessions, so each must be the program's own. */
export const clusterPostgres = (url: Redacted.Redacted, sessions: string, onAway: Effect.Effect<void> | null) => {
  const unfit = (reason: string) => new FleetUnfit({ at: clusterName(url), reason })
  const asked = checkPostgres(url)
  const waited = asked.pipe(
    Effect.tapError((error) =>
      error._tag === "TimeoutError" || isAway(error) ? (onAway ?? Effect.void) : Effect.void
    ),
    Effect.retry({
      while: (error) => error._tag === "TimeoutError" || isAway(error),
      schedule: Schedule.spaced("1 second")
    })
  )
  const check = (onAway === null ? asked : waited).pipe(
    Effect.catchTags({
      SqlError: (error) =>
        unfit(
          `${isAway(error) ? "there is no connection" : "Postgres refused"}: ${causeOf(error.reason)?.message ?? error.reason.message}. ` +
            "Check address, database, user and password in --cluster or CARDLAKE_CLUSTER"
        ),
      TimeoutError: () =>
        unfit("Postgres does not answer. Check the address in --cluster or CARDLAKE_CLUSTER, and that it runs")
    })
  )
  const client = PgClient.layer({
    url,
    applicationName: sessions,
    maxConnections: 6,
    connectTimeout: "5 seconds"
  })
  return Layer.provideMerge(client, Layer.effectDiscard(check))
}
