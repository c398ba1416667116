import { type Cron, type DateTime, Effect, Layer } from "effect"
import { ClusterCron, RunnerStorage } from "effect/cluster"
import type { SqlError } from "effect/sql/SqlError"
import type { RunReport } from "../observe/RunReport.ts"
import { applicationName, cluster, type Member, scheduleGroup } from "./cluster.ts"
import { clusterName } from "./clusterPostgres.ts"
import { FleetUnfit } from "./FleetUnfit.ts"
import { askNight, nightWorkflows, readWaitingGames } from "./fleetNight.ts"
import { whenLocksAreLost } from "./whenLocksAreLost.ts"
import type { FleetSteps } from "./FleetSteps.ts"

type As = Omit<Member, "role">

/** A member with what it does. */
const joined = <A, R>(member: As, layer: Layer.Layer<A, FleetUnfit | SqlError, R>) =>
  Effect.mapError(Layer.build(layer), (error) =>
    error._tag === "FleetUnfit"
      ? error
      : new FleetUnfit({
          at: clusterName(member.postgres),
          reason: `Postgres refused: ${error.reason.message}. The user of --cluster must be able to create tables`
        })
  )

/** Works for the fleet until it is interrupted: nights, and up to `atOnce` games at the same time. */
export const workForFleet = Effect.fnUntraced(function* (
  member: As,
  work: {
    readonly atOnce: number
    /** Ends the process: it holds no locks any more, and what it does may be another's. */
    readonly onLost: Effect.Effect<never>
    readonly onReady: Effect.Effect<void>
    readonly steps: FleetSteps
  }
) {
  const { atOnce, onLost, onReady, steps } = work
  const works = nightWorkflows(steps).pipe(Layer.provideMerge(cluster({ ...member, role: "worker" })))
  const services = yield* joined(member, works)
  yield* onReady
  const reading = Effect.provideContext(readWaitingGames(steps), services)
  const lost = whenLocksAreLost(applicationName({ ...member, role: "worker" })).pipe(Effect.andThen(onLost))
  return yield* Effect.all([Effect.provideContext(lost, services), ...Array.from({ length: atOnce }, () => reading)], {
    concurrency: "unbounded",
    discard: true
  })
}, Effect.scoped)

/** How many workers Postgres heard of within the last seconds. */
const workersAlive = RunnerStorage.RunnerStorage.pipe(
  Effect.flatMap(({ getRunners }) => getRunners),
  Effect.map((runners) => runners.filter(([{ groups }]) => groups.includes("default")).length)
)

/** Has the fleet do a night, and waits for its end. */
export const askFleet = Effect.fnUntraced(function* (
  member: As,
  night: {
    readonly name: string
    readonly games: ReadonlyArray<string>
    readonly onAsked: (workers: number) => Effect.Effect<void>
  }
) {
  const services = yield* joined(member, cluster({ ...member, role: "asker" }))
  const asked = Effect.gen(function* () {
    yield* night.onAsked(yield* Effect.orElseSucceed(workersAlive, () => 0))
    return yield* askNight(night.name, night.games)
  })
  return yield* Effect.provideContext(asked, services)
}, Effect.scoped)

/**
 * Begins a night of the fleet at each time of the expression until it is interrupted. Of several such processes one
 * does, and a time that nobody was there for is caught up within a day.
 */
export const scheduleFleet = Effect.fnUntraced(function* (
  member: As,
  times: {
    readonly cron: Cron.Cron
    /** The same for the same times: who waits for others begins other nights. */
    readonly name: string
    readonly games: ReadonlyArray<string>
    readonly onBegin: (at: DateTime.Utc) => Effect.Effect<void>
    readonly onEnd: (report: RunReport) => Effect.Effect<void>
  }
) {
  const night = Effect.gen(function* () {
    const at = yield* ClusterCron.CurrentScheduledTime
    yield* times.onBegin(at)
    yield* times.onEnd(yield* askNight(`${times.name} at ${at.epochMilliseconds}`, times.games))
  })
  const crons = ClusterCron.make({ name: times.name, cron: times.cron, execute: night, shardGroup: scheduleGroup })
  yield* joined(member, crons.pipe(Layer.provideMerge(cluster({ ...member, role: "schedule" }))))
  return yield* Effect.never
}, Effect.scoped)
