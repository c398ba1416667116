import { hash } from "node:crypto"
import { Deferred, Effect, Fiber, Layer, Predicate, Schedule, Schema, Cause } from "effect"
import { PersistedQueue } from "effect/persistence"
import { Activity, DurableDeferred, Workflow } from "effect/workflow"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { NightId } from "../../store/home/bucket/nights/nightId.ts"
import { RunReport } from "../observe/RunReport.ts"
import { failedReport, type FleetSteps, NightEnd, Plan } from "./FleetSteps.ts"
import { SqlClient } from "effect/sql"

const isUnreachable = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && Predicate.isTagged(reason.defect, "PersistenceError"))

/** Retries for an hour. This is safe, because every step of a night has a name in Postgres and runs once. */
const retryUnreachable = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ while: isUnreachable, schedule: Schedule.spaced("2 seconds"), times: 1800 }),
    Effect.catch((cause) => Effect.failCause(cause))
  )

/** True if a worker reads this game for an earlier request, or will. Only the queue's table shows it. */
const isRequestedBefore = Effect.fnUntraced(function* (table: string, queue: string, id: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from ${sql(table)} own join ${sql(table)} earlier using (queue_name)
    where own.id = ${id} and queue_name = ${queue} and earlier.state = 'pending' and earlier.sequence < own.sequence
      and earlier.element::json ->> 'gameId' = own.element::json ->> 'gameId' limit 1`.values
  return found.length > 0
})

/** A game that waits for a worker. `token` identifies the receiver of its result. */
const WaitingGame = Schema.Struct({ night: NightId, gameId: Schema.String, token: DurableDeferred.Token })

/** The queue itself never drops an element, because the waiting night would not be notified. */
const maxAttempts = 1_000_000

const queueName = "games"
const waitingGames = PersistedQueue.make({ name: queueName, schema: WaitingGame, maxAttempts })

const readingEnd = DurableDeferred.make("reading", { success: RunReport })

/** Max workers that died or lost their sessions with the same game. After these the game is the cause. */
const maxTries = 8

/** Returns the id of a game in one request of a night. The same night may be requested again, to retry failures. */
const waitingId = (name: string, gameId: string): string => `${hash("sha256", name).slice(0, 16)}/${gameId}`

const gameOfNight = Workflow.make("Game", {
  payload: { name: Schema.String, gameId: Schema.String },
  success: RunReport,
  idempotencyKey: ({ gameId, name }) => waitingId(name, gameId)
})

/** A night of the fleet. Two requests with one name are one night. */
const nightOfFleet = Workflow.make("Night", {
  payload: { name: Schema.String, games: Schema.Array(Schema.String) },
  success: NightEnd,
  idempotencyKey: ({ name }) => name,
  // How often a waiting process checks for the end.
  suspendedRetrySchedule: Schedule.spaced("2 seconds")
})

/** Queues the games in this order, each once, however often this runs. */
const lineUp = Effect.fnUntraced(function* (name: string, { games, night }: Plan) {
  const queue = yield* waitingGames
  for (const gameId of games) {
    const payload = { name, gameId }
    const token = yield* DurableDeferred.tokenFromPayload(readingEnd, { workflow: gameOfNight, payload })
    yield* queue
      .offer({ night, gameId, token }, { id: waitingId(name, gameId) })
      .pipe(Effect.retry({ while: Predicate.isTagged("PersistedQueueError"), schedule: Schedule.spaced("2 seconds") }))
  }
}, Effect.orDie)

/** The night and its games as workflows. Their progress is in Postgres, and any worker can resume them. */
export const nightWorkflows = (steps: FleetSteps) => {
  const game = gameOfNight.toLayer(() => DurableDeferred.await(readingEnd))
  const night = nightOfFleet.toLayer(({ games, name }) =>
    Effect.gen(function* () {
      const plan = yield* Activity.make({ name: "plan", success: Plan, error: NightEnd, execute: steps.plan(games) })
      yield* Activity.make({ name: "line up", execute: lineUp(name, plan) })
      const reports = yield* Effect.forEach(plan.games, (gameId) => gameOfNight.execute({ name, gameId }), {
        concurrency: "unbounded"
      })
      const publish = steps.publish(plan.night, reports)
      return yield* Activity.make({ name: "publish", success: NightEnd, execute: publish })
    }).pipe(Effect.catch((report) => Effect.succeed(report)))
  )
  return Layer.merge(game, night)
}

/** Starts or joins a night, and waits until it ends. The night continues even if the waiting process exits. */
export const askNight = (name: string, games: ReadonlyArray<string>) =>
  retryUnreachable(nightOfFleet.execute({ name, games }))

/** How often a waiting night checks a game that is being read. */
const lookEvery = "1 second"

/**
 * Reads waiting games until interrupted. A game that an earlier night requested waits, without using capacity, until
 * that reading has ended. Then it is offered again: it is read already, or has failed.
 */
export const readWaitingGames = Effect.fnUntraced(function* (steps: FleetSteps, table: string) {
  const queue = yield* waitingGames
  const gaveUp = (gameId: string) =>
    failedReport(
      gameId,
      `${maxTries} tries to read it ended without a verdict. Find the cause on one machine: cardlake nightly ${shellWord(gameId)}`
    )
  const takeOne = (hasRoom: Effect.Effect<unknown>) =>
    queue.take(({ gameId, night, token }, { attempts, id }) =>
      Effect.gen(function* () {
        const isWaiting = isRequestedBefore(table, queueName, id)
        if (yield* isWaiting) {
          yield* hasRoom
          const why = `${gameId} waits for the end of an earlier night that reads it`
          const warning = yield* Effect.forkChild(Effect.delay(Effect.logWarning(why), "10 seconds"))
          while (yield* isWaiting) yield* Effect.sleep(lookEvery)
          yield* Fiber.interrupt(warning)
          // Interruption returns the game to the queue without counting an attempt.
          return yield* Effect.interrupt
        }
        const value = yield* attempts > maxTries ? gaveUp(gameId) : steps.read(night, gameId)
        yield* DurableDeferred.succeed(readingEnd, { token, value })
      })
    )
  return yield* Effect.gen(function* () {
    const room = yield* Deferred.make<void>()
    const hasRoom = Deferred.succeed(room, undefined)
    yield* takeOne(hasRoom).pipe(
      Effect.catchCause((cause) => Effect.andThen(Effect.logDebug(cause), Effect.sleep("1 second"))),
      Effect.ensuring(hasRoom),
      Effect.forkChild
    )
    yield* Deferred.await(room)
  }).pipe(Effect.forever)
})
