import { Effect, Schedule } from "effect"
import { IcebergError } from "iceberg-js"
import { DestinationFailed } from "../../destination/Destination.ts"

const again = "then export again: what is there stays, the rest follows"

const nextStep = (status: number): string => {
  if (status === 401 || status === 403) return `Check ICEBERG_REST_TOKEN and what it may do, ${again}`
  if (status === 400 || status === 404) return `Check ICEBERG_REST_URL and ICEBERG_REST_WAREHOUSE, ${again}`
  if (status === 0) return `Check ICEBERG_REST_URL and the network, ${again}`
  return "Export again later: what is there stays, the rest follows"
}

/** A catalogue's failure, without its own text, which may quote the request. */
interface Refused {
  readonly status: number
  readonly type: string
}

const refusedBy = (cause: unknown): Refused =>
  cause instanceof IcebergError
    ? { status: cause.status, type: cause.icebergType ?? "" }
    : { status: 0, type: cause instanceof Error ? cause.name : "" }

const passes = ({ status }: Refused): boolean => [0, 429, 502, 503, 504].includes(status)

const faultOf = (what: string, { status, type }: Refused): DestinationFailed => {
  const told = type === "" ? String(status) : `${status} (${type})`
  const reason = status === 0 ? "the catalogue did not answer" : `the catalogue answered ${told}`
  return new DestinationFailed({ step: what, reason, next: nextStep(status) })
}

const retried = <A>(run: () => Promise<A>): Effect.Effect<A, Refused> =>
  Effect.tryPromise({ try: run, catch: refusedBy }).pipe(
    Effect.retry({ schedule: Schedule.exponential("500 millis"), times: 3, while: passes })
  )

/** Calls a catalogue; faults that tend to pass are retried. */
export const catalogueStep = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, DestinationFailed> =>
  Effect.mapError(retried(run), (refused) => faultOf(what, refused))

/** The same, where an answer of that status is expected: null. */
export const unlessStatus = <A>(
  what: string,
  expected: number,
  run: () => Promise<A>
): Effect.Effect<A | null, DestinationFailed> =>
  retried(run).pipe(
    Effect.catch((refused) =>
      refused.status === expected ? Effect.succeed(null) : Effect.fail(faultOf(what, refused))
    )
  )
