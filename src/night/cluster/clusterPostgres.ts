import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Fiber, Layer, Predicate, Redacted, Schedule, Data } from "effect"

/** Postgres is unreachable or does not meet the fleet's requirements. `reason` ends with the next step. */
export class FleetUnfit extends Data.TaggedError("FleetUnfit")<{ readonly at: string; readonly reason: string }> {
  override get message() {
    return `${this.at}: ${this.reason}`
  }
}

/** Since this version Postgres ends the session of an unresponsive program, which frees its locks. */
const oldestVersion = 140_000

const readParameters = new Set("host port user password dbname options connect_timeout sslmode".split(" "))
const sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

const isEncoded = (part: string): boolean => !/%(?![\da-f]{2})/i.test(part)

/** Explains why an address is invalid, and how to correct it; null if it is valid. The password is not repeated. */
const addressFault = ({ hash, hostname, pathname, password, search, searchParams, username }: URL): string | null => {
  const named = searchParams.get("host") ?? hostname
  const mode = searchParams.get("sslmode")
  const unread = [...searchParams.keys()].find((name) => !readParameters.has(name))
  if (![username, password, hostname, pathname, search].every(isEncoded))
    return "it has an invalid % escape. Write % as %25"
  if (hash !== "" || (pathname + search).includes("@"))
    return "it continues after the database. In a user or a password, write / as %2F, ? as %3F, # as %23, @ as %40"
  if (named === "" || named.includes(","))
    return `it names ${named === "" ? "no host" : "several hosts"}. Give one host, as in postgres://user:password@host/database`
  if (mode !== null && !sslModes.includes(mode)) return `its sslmode is not one of ${sslModes.join(", ")}`
  if (unread === undefined) return null
  const ofCertificates = unread.startsWith("ssl")
    ? ", and set NODE_EXTRA_CA_CERTS to the CA of the server's certificate"
    : ""
  return `its parameter ${unread} is not supported. Leave it out${ofCertificates}`
}

/** Returns an address for display. An invalid one is hidden, because any part may belong to the password. */
export const clusterName = (url: Redacted.Redacted): string => {
  const address = new URL(Redacted.value(url))
  const { hostname, pathname, port, searchParams } = address
  if (addressFault(address) !== null) return "--cluster or CARDLAKE_CLUSTER"
  return `postgres://${searchParams.get("host") ?? hostname}${port === "" ? "" : `:${port}`}${pathname}`
}

/** True if a connection shares the Postgres process of another one that is in a transaction. */
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

/** Fails with a sentence if Postgres is unreachable, too old, or behind a pooler that shares sessions. */
const checkPostgres = Effect.fn("checkPostgres")(function* (url: Redacted.Redacted) {
  const unfit = (reason: string) => new FleetUnfit({ at: clusterName(url), reason })
  // Poolers that share sessions do not support prepared statements.
  const services = yield* Layer.build(PgClient.layer({ url, prepare: false, maxConnections: 2 }))
  const client = Context.get(services, PgClient.PgClient)
  return yield* Effect.gen(function* () {
    const [version] = yield* client`select current_setting('server_version_num')::int`.valuesUnprepared
    if (Number(version?.[0]) < oldestVersion)
      return yield* unfit("a fleet needs Postgres 14 or later. Name another one with --cluster")
    if (yield* sharesSessions(client))
      return yield* unfit(
        "a pooler of transactions breaks its locks. " +
          "Give the address of Postgres itself, or of a pooler with pool_mode = session"
      )
  }).pipe(Effect.timeout("15 seconds"))
}, Effect.scoped)

export const errorMessage = ({
  reason
}: {
  readonly reason: unknown
}): { readonly code: string; readonly message: string } => {
  const cause = Predicate.hasProperty(reason, "cause") ? reason.cause : null
  if (!(cause instanceof Error)) return { code: "", message: String(reason) }
  return { code: "code" in cause ? String(cause.code) : "", message: cause.message }
}

/** Network errors of an unreachable server. A stopped container's name cannot be resolved. */
const unreached = /^(ECONN\w+|ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|ENOENT)$/
/** States of a Postgres that starts, stops, or is out of resources. */
const unready = /^(08|53|57|58)\w{3}$/
const cutOff = /^Connection (timed out|closed unexpectedly)$/

/** True if a retry may succeed. All other connection errors are permanent. */
export const isUnreachable = (error: { readonly _tag: string; readonly reason: unknown }): boolean => {
  if (error._tag !== "SqlError" || !Predicate.hasProperty(error.reason, "_tag")) return false
  const { code, message } = errorMessage(error)
  const tag = String(error.reason._tag)
  if (["AuthenticationError", "AuthorizationError", "SqlSyntaxError"].includes(tag)) return false
  if (tag !== "ConnectionError" && tag !== "UnknownError") return true
  return unreached.test(code) || unready.test(code) || cutOff.test(message)
}

const notVouched = /CERT|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/

/** The fleet's Postgres. Locks belong to sessions, so the program must not share its sessions. */
export const clusterPostgres = (
  url: Redacted.Redacted,
  sessions: string,
  onOutage: ((reason: string) => Effect.Effect<void>) | null
) => {
  const unfit = (reason: string) => new FleetUnfit({ at: clusterName(url), reason })
  const fault = addressFault(new URL(Redacted.value(url)))
  const attempt = fault === null ? checkPostgres(url) : Effect.fail(unfit(fault))
  const unreachableReason = (error: Effect.Error<typeof attempt>): string | null => {
    if (error._tag === "TimeoutError") return "no answer within 15 seconds"
    return error._tag === "SqlError" && isUnreachable(error) ? errorMessage(error).message : null
  }
  const waited = (reportUnreachable: (reason: string) => Effect.Effect<void>) =>
    attempt.pipe(
      Effect.tapError((error) => {
        const reason = unreachableReason(error)
        return reason === null ? Effect.void : reportUnreachable(reason)
      }),
      Effect.retry({ while: (error) => unreachableReason(error) !== null, schedule: Schedule.spaced("1 second") })
    )
  const check = (onOutage === null ? attempt : waited(onOutage)).pipe(
    Effect.catchTags({
      SqlError: (error) => {
        const next = notVouched.test(errorMessage(error).code)
          ? "Set NODE_EXTRA_CA_CERTS to the CA of the server's certificate"
          : "Check address, database, user and password in --cluster or CARDLAKE_CLUSTER"
        return unfit(
          `${isUnreachable(error) ? "no connection" : "Postgres refused"}: ${errorMessage(error).message}. ${next}`
        )
      },
      TimeoutError: () =>
        unfit("Postgres does not answer. Check the address in --cluster or CARDLAKE_CLUSTER, and that it runs")
    })
  )
  const client = PgClient.layer({ url, applicationName: sessions, maxConnections: 6 })
  return Layer.provideMerge(client, Layer.effectDiscard(check))
}

const within = "1500 millis"

export const postgresAnswers = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const query = yield* Layer.build(PgClient.layer({ url, maxConnections: 1, connectTimeout: "1 second" })).pipe(
    Effect.flatMap((services) => Context.get(services, PgClient.PgClient)`select 1`.valuesUnprepared),
    Effect.scoped,
    Effect.as(true),
    Effect.orElseSucceed(() => false),
    // The query may never end, so it is not awaited.
    Effect.forkDetach
  )
  return yield* Effect.raceFirst(Fiber.join(query), Effect.as(Effect.sleep(within), false))
})
