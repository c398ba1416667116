import { hash } from "node:crypto"
import { Deferred, Effect, Fiber, Layer, Predicate, Schedule, Schema, Cause } from "effect"
import { PersistedQueue } from "effect/persistence"
import { Activity, DurableDeferred, Workflow } from "effect/workflow"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { NightId } from "../../store/home/bucket/nights/nightId.ts"
import { RunReport } from "../observe/RunReport.ts"
import { failedReport, type FleetSteps, NightEnd, Plan } from "./FleetSteps.ts"
import { SqlClient } from "effect/sql"

const isAway = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && Predicate.isTagged(reason.defect, "PersistenceError"))

/** Asks again for an hour: what a night does is written in Postgres under a name of its own, and done once. */
const whilePostgresIsAway = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ while: isAway, schedule: Schedule.spaced("2 seconds"), times: 1800 }),
    Effect.catch((cause) => Effect.failCause(cause))
  )

/**
 * Whether the game of an element of the queue was asked for before it and has not ended: a worker reads it, or will.
 * Only the queue's own table says so.
 */
const isAskedBefore = Effect.fnUntraced(function* (table: string, queue: string, id: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from ${sql(table)} own join ${sql(table)} earlier using (queue_name)
    where own.id = ${id} and queue_name = ${queue} and earlier.state = 'pending' and earlier.sequence < own.sequence
      and earlier.element::json ->> 'gameId' = own.element::json ->> 'gameId' limit 1`.values
  return found.length > 0
})

/** A game that waits for a worker; `token` is whom to tell how it ended. */
const Waiting = Schema.Struct({ night: NightId, gameId: Schema.String, token: DurableDeferred.Token })

/** The queue itself never gives up: whoever waits for the game would not hear of it. */
const maxAttempts = 1_000_000

const queueName = "games"
const waitingGames = PersistedQueue.make({ name: queueName, schema: Waiting, maxAttempts })

const readingEnd = DurableDeferred.make("reading", { success: RunReport })

/** Workers that died or lost their sessions one after the other with the same game: it is the game. */
const maxTries = 8

/** Of a game in one night: the same night may be asked for again, to read what failed. */
const waitingId = (name: string, gameId: string): string => `${hash("sha256", name).slice(0, 16)}/${gameId}`

const gameOfNight = Workflow.make("Game", {
  payload: { name: Schema.String, gameId: Schema.String },
  success: RunReport,
  idempotencyKey: ({ gameId, name }) => waitingId(name, gameId)
})

/** A night of the fleet: asked for twice under one name, it is one night. */
const nightOfFleet = Workflow.make("Night", {
  payload: { name: Schema.String, games: Schema.Array(Schema.String) },
  success: NightEnd,
  idempotencyKey: ({ name }) => name,
  // How often whoever asked looks whether it has ended.
  suspendedRetrySchedule: Schedule.spaced("2 seconds")
})

/** Workers find the games in this order, each once, however often this is done. */
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

/** The night and its games as workflows: what is done of them is in Postgres, and any worker goes on from there. */
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

/** Begins a night, or finds it begun, and waits for its end. It goes on without whoever asked. */
export const askNight = (name: string, games: ReadonlyArray<string>) =>
  whilePostgresIsAway(nightOfFleet.execute({ name, games }))

/** How often a game that is being read is looked at by whoever waits for that. */
const lookEvery = "1 second"

/**
 * Reads one waiting game after the other, until it is interrupted. A game that another night asked for before is kept
 * until that has ended, without taking up room, and then offered again: it is read already, or has failed.
 */
export const readWaitingGames = Effect.fnUntraced(function* (steps: FleetSteps, table: string) {
  const queue = yield* waitingGames
  const gaveUp = (gameId: string) =>
    failedReport(
      gameId,
      `${maxTries} tries to read it ended without a verdict. See why, on one machine: cardlake nightly ${shellWord(gameId)}`
    )
  const takeOne = (hasRoom: Effect.Effect<unknown>) =>
    queue.take(({ gameId, night, token }, { attempts, id }) =>
      Effect.gen(function* () {
        const isWaiting = isAskedBefore(table, queueName, id)
        if (yield* isWaiting) {
          yield* hasRoom
          const why = `${gameId} waits until an earlier night that asked for it has ended`
          const said = yield* Effect.forkChild(Effect.delay(Effect.logWarning(why), "10 seconds"))
          while (yield* isWaiting) yield* Effect.sleep(lookEvery)
          yield* Fiber.interrupt(said)
          // Gives it back as what was not tried.
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
