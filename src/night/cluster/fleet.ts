import {
  type Cron,
  type DateTime,
  Deferred,
  Effect,
  Fiber,
  Layer,
  Metric,
  Option,
  Cause,
  Logger,
  Predicate,
  Schedule
} from "effect"
import { randomHex } from "../../feed/disk/random.ts"
import { ClusterCron, ClusterMetrics } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import {
  cluster,
  type Life,
  type Member,
  nameReadingsTable,
  scheduleGroup,
  isRegistered,
  workersAlive
} from "./cluster.ts"
import { clusterName, isUnreachable, postgresAnswers, errorMessage, FleetUnfit } from "./clusterPostgres.ts"
import { askNight, nightWorkflows, readWaitingGames } from "./fleetNight.ts"
import type { FleetSteps, NightEnd } from "./FleetSteps.ts"

const lookEvery = "2 seconds"
const answersWithin = "10 seconds"

/** Max checks of a part that is released, which takes at most 15 seconds. After these it is stuck. */
const maxLooksOfRelease = 20

/**
 * Ends with the reason when the session with this member's locks ends or Postgres does not answer. Other members may
 * then own its parts, and the cluster may wait forever to release them.
 */
const awaitLostLocks = Effect.fnUntraced(function* (applicationName: string) {
  const sql = yield* SqlClient.SqlClient
  const ask = sql`select distinct pid from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and application_name = ${applicationName}`.values
  let previous: ReadonlyArray<unknown> = []
  let looksOfRelease = 0
  while (true) {
    const query = yield* Effect.forkChild(Effect.option(ask))
    // `Effect.timeout` would wait for a query that may never end.
    const answer = yield* Effect.raceFirst(Fiber.join(query), Effect.as(Effect.sleep(answersWithin), Option.none()))
    if (Option.isNone(answer)) return "Postgres does not answer"
    const found = answer.value.map(([pid]) => pid)
    if (previous.some((pid) => !found.includes(pid))) return "it lost its locks in Postgres"
    previous = found
    const { value } = yield* Metric.value(ClusterMetrics.shardsReleasing)
    looksOfRelease = value > 0n ? looksOfRelease + 1 : 0
    if (looksOfRelease > maxLooksOfRelease) return "it could not hand over part of its work to other workers"
    yield* Effect.sleep(lookEvery)
  }
})

/** Errors of the cluster while Postgres is unreachable. */
const tagsOfAbsence = new Set("PersistenceError PersistedQueueError SqlError TimeoutError".split(" "))

const isAbsence = (found: unknown): boolean =>
  Predicate.hasProperty(found, "_tag") && tagsOfAbsence.has(String(found._tag))

/** True if the only cause is an unreachable Postgres, which the member reports itself. */
const isAbsent = ({ reasons }: Cause.Cause<unknown>): boolean => {
  const found = reasons.filter((reason) => !Cause.isInterruptReason(reason))
  return (
    found.length > 0 && found.every((reason) => isAbsence(Cause.isDieReason(reason) ? reason.defect : reason.error))
  )
}

/** Drops the cluster's repeated log messages about an unreachable Postgres. All others are logged. */
export const filterClusterLogs = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.service(Logger.CurrentLoggers), (loggers) => {
    const quiet = [...loggers].map((logger) =>
      Logger.make<unknown, unknown>((entry) => (isAbsent(entry.cause) ? undefined : logger.log(entry)))
    )
    return Effect.provideService(effect, Logger.CurrentLoggers, new Set(quiet))
  })

type As = Omit<Member, "role">

/** A member with its work. Some layers die of Postgres errors while they create their tables. */
const joinFleet = <A>(member: As, layer: Layer.Layer<A, FleetUnfit | SqlError>) =>
  Layer.build(layer).pipe(
    Effect.catchDefect((defect) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError((error) =>
      error._tag === "FleetUnfit" || isUnreachable(error)
        ? error
        : new FleetUnfit({
            at: clusterName(member.postgres),
            reason: `Postgres refused: ${errorMessage(error).message}. The user of --cluster must be able to create tables`
          })
    )
  )

/** The handlers of lost locks or messages, and of an unreachable Postgres. */
export interface FailurePolicy {
  /** Ends or restarts the process, because another member may own its work. */
  readonly onLost: (reason: string) => Effect.Effect<never>
  /** Called repeatedly while Postgres is unreachable. */
  readonly onOutage: (reason: string) => Effect.Effect<void>
}

/** Ends a member and releases its work. While Postgres is unreachable, the slow and useless release is skipped. */
const endMember = Effect.fnUntraced(function* (member: Member, alive: Fiber.Fiber<unknown, unknown>) {
  const check = yield* Effect.forkDetach(postgresAnswers(member.postgres))
  const ending = yield* Effect.forkDetach(Fiber.interrupt(alive))
  if (yield* Fiber.join(check)) return yield* Fiber.join(ending)
  // This is enough time to remove the folders of an interrupted reading.
  yield* Effect.sleep("500 millis")
})

/** Runs a member, and ends immediately when its membership is lost, because a repair may never end. */
const runMember = Effect.fnUntraced(function* <A>(
  member: Member,
  { onOutage, onLost }: FailurePolicy,
  life: {
    readonly layer: (life: Life) => Layer.Layer<A | SqlClient.SqlClient, FleetUnfit | SqlError>
    readonly work: Effect.Effect<void, never, A | SqlClient.SqlClient>
  }
) {
  const suffix = yield* randomHex(3)
  const sessions = `${`cardlake ${member.role} ${member.name}`.slice(0, 50)} ${suffix}`
  const reason = yield* Deferred.make<string>()
  const reportLoss = (why: string) => Deferred.succeed(reason, why)
  const lives = Effect.gen(function* () {
    const layer = life.layer({ onOutage, onLost: reportLoss, sessions })
    const services = yield* joinFleet(member, layer).pipe(
      Effect.catchTag("SqlError", ({ reason }) => Effect.andThen(reportLoss(reason.message), Effect.never)),
      // Creating the tables dies if Postgres becomes unreachable meanwhile.
      Effect.catchDefect((defect) => Effect.andThen(reportLoss(String(defect)), Effect.never))
    )
    const ended = Effect.flatMap(awaitLostLocks(sessions), reportLoss)
    const all = Effect.all([life.work, Effect.andThen(ended, Effect.never)], { concurrency: "unbounded" })
    return yield* Effect.andThen(Effect.provideContext(all, services), Effect.never)
  }).pipe(Effect.scoped, filterClusterLogs)
  const alive = yield* Effect.forkDetach(lives)
  return yield* Effect.raceFirst(Fiber.join(alive), Effect.flatMap(Deferred.await(reason), onLost)).pipe(
    Effect.onInterrupt(() => endMember(member, alive))
  )
})

/** Works for the fleet until interrupted: runs nights, and reads up to `atOnce` games concurrently. */
export const workForFleet = (
  as: As,
  work: FailurePolicy & { readonly atOnce: number; readonly onReady: Effect.Effect<void>; readonly steps: FleetSteps }
) => {
  const { atOnce, onReady, steps } = work
  const member: Member = { ...as, role: "worker" }
  const readings = Array.from({ length: atOnce }, () => readWaitingGames(steps, nameReadingsTable(as.home)))
  return runMember(member, work, {
    layer: (life) => Layer.provideMerge(nightWorkflows(steps), cluster(member, life)),
    work: isRegistered(as.name).pipe(
      Effect.repeat({ until: (isKnown) => isKnown, schedule: Schedule.spaced("100 millis") }),
      Effect.andThen(onReady),
      Effect.andThen(Effect.all(readings, { concurrency: "unbounded", discard: true }))
    )
  })
}

export const askFleet = Effect.fnUntraced(function* <E, R>(
  as: As,
  night: {
    readonly name: string
    readonly games: ReadonlyArray<string>
    /** Called before the request with the number of live workers. */
    readonly onAsk: (workers: number) => Effect.Effect<void, E, R>
  }
) {
  // It holds no locks, so it retries until it gets an answer.
  const life = { onOutage: null, onLost: () => Effect.void, sessions: `cardlake asker ${as.name}`.slice(0, 60) }
  const services = yield* joinFleet(as, cluster({ ...as, role: "asker" }, life)).pipe(
    Effect.catchTag("SqlError", ({ reason }) =>
      Effect.fail(
        new FleetUnfit({
          at: clusterName(as.postgres),
          reason: `Postgres is unreachable: ${reason.message}. Run this again`
        })
      )
    )
  )
  const request = Effect.gen(function* () {
    yield* night.onAsk(yield* Effect.orElseSucceed(workersAlive, () => 0))
    return yield* askNight(night.name, night.games)
  })
  return yield* Effect.provideContext(request, services)
}, Effect.scoped)

/** Begins a night at each time until interrupted. One of several such processes acts; catches up for a day. */
export const scheduleFleet = (
  as: As,
  times: FailurePolicy & {
    readonly cron: Cron.Cron
    /** The same name for the same times and games, so that only these processes share their nights. */
    readonly name: string
    readonly games: ReadonlyArray<string>
    readonly onBegin: (at: DateTime.Utc) => Effect.Effect<void>
    readonly onEnd: (report: NightEnd) => Effect.Effect<void>
  }
) => {
  const night = Effect.gen(function* () {
    const at = yield* ClusterCron.CurrentScheduledTime
    yield* times.onBegin(at)
    yield* times.onEnd(yield* askNight(`${times.name} at ${at.epochMilliseconds}`, times.games))
  })
  const crons = ClusterCron.make({ name: times.name, cron: times.cron, execute: night, shardGroup: scheduleGroup })
  const member: Member = { ...as, role: "schedule" }
  return runMember(member, times, {
    layer: (life) => Layer.provideMerge(crons, cluster(member, life)),
    work: Effect.void
  })
}

/** Restarts this process under its id and releases what it held; else kills it, for its supervisor. */
export const startAgain: Effect.Effect<never> = Effect.andThen(
  Effect.sync(() => {
    const { argv, env, execArgv, execPath, execve, pid, platform } = process
    if (execve === undefined || platform === "win32") process.kill(pid, "SIGKILL")
    else execve.call(process, execPath, [execPath, ...execArgv, ...argv.slice(1)], env)
  }),
  Effect.never
)
