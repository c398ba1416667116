import { Cause, Effect, Predicate, Schedule, Schema } from "effect"
import { Activity, DurableDeferred, Workflow } from "effect/workflow"
import { PersistedQueue } from "effect/persistence"
import { FleetSteps, GameEnd, NightEnd } from "./FleetSteps.ts"

/** A game that waits for a worker; `token` is whom to tell how it ended. */
const Waiting = Schema.Struct({ night: Schema.String, gameId: Schema.String, token: DurableDeferred.Token })

/** Workers take games from here, the heaviest first, as soon as they have room for one. */
const waitingGames = PersistedQueue.make({ name: "games", schema: Waiting })

const readingEnd = DurableDeferred.make("reading", { success: GameEnd })

/** Workers that died one after the other with the same game: it is the game. */
const maxTries = 4

const gameOfNight = Workflow.make("Game", {
  payload: { night: Schema.String, gameId: Schema.String },
  success: GameEnd,
  idempotencyKey: ({ gameId, night }) => `${night}/${gameId}`
})

/** A night of the fleet: begun twice under one name, it is one night. */
const fleetNight = Workflow.make("Night", {
  payload: { night: Schema.String, games: Schema.Array(Schema.String) },
  success: NightEnd,
  idempotencyKey: ({ night }) => night
})

const isLost = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && Predicate.isTagged(reason.defect, "PersistenceError"))

/** Asks again while Postgres is away: what a night does is written there under a name of its own, and done once. */
const whilePostgresIsAway = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ while: isLost, schedule: Schedule.spaced("2 seconds"), times: 1800 }),
    Effect.catch((cause) => Effect.failCause(cause))
  )

export const gameLayer = gameOfNight.toLayer(() => whilePostgresIsAway(DurableDeferred.await(readingEnd)))

/** In this order, and each once, however often it is done. */
const lineUp = Effect.fnUntraced(function* (night: string, games: ReadonlyArray<string>) {
  const queue = yield* waitingGames
  for (const gameId of games) {
    const token = yield* DurableDeferred.tokenFromPayload(readingEnd, {
      workflow: gameOfNight,
      payload: { night, gameId }
    })
    yield* queue
      .offer({ night, gameId, token }, { id: `${night}/${gameId}` })
      .pipe(Effect.retry({ while: Predicate.isTagged("PersistedQueueError"), schedule: Schedule.spaced("2 seconds") }))
  }
}, Effect.orDie)

export const nightLayer = fleetNight.toLayer(
  Effect.fnUntraced(function* ({ games, night }) {
    const steps = yield* FleetSteps
    const planned = yield* whilePostgresIsAway(
      Activity.make({ name: "plan", success: Schema.Array(Schema.String), execute: steps.plan(night, games) })
    )
    yield* whilePostgresIsAway(Activity.make({ name: "line up", execute: lineUp(night, planned) }))
    const ends = yield* Effect.forEach(
      planned,
      (gameId) => whilePostgresIsAway(gameOfNight.execute({ night, gameId })),
      { concurrency: "unbounded" }
    )
    return yield* whilePostgresIsAway(
      Activity.make({ name: "publish", success: NightEnd, execute: steps.publish(night, ends) })
    )
  })
)

/** Begins a night, or finds it begun, and waits for its end. It goes on without whoever asked. */
export const askNight = (night: string, games: ReadonlyArray<string>) =>
  whilePostgresIsAway(fleetNight.execute({ night, games }))

/** Takes games one after the other, `gamesAtOnce` at the same time, until it is interrupted. */
export const readGames = Effect.fnUntraced(function* (gamesAtOnce: number) {
  const steps = yield* FleetSteps
  const queue = yield* waitingGames
  // Postgres may be away when a reading ends: then its end is told again, and the game not read again.
  const ended = new Map<string, GameEnd>()
  const takeOne = queue.take(({ gameId, night, token }, { attempts, id }) =>
    Effect.gen(function* () {
      const reason = `${maxTries} workers stopped while they read it. Read it alone: cardlake nightly ${gameId}`
      const end =
        ended.get(id) ??
        (attempts > maxTries ? { gameId, verdict: "failed", reason } : yield* steps.read(night, gameId))
      ended.set(id, end)
      yield* DurableDeferred.succeed(readingEnd, { token, value: end })
      ended.delete(id)
    })
  )
  const keepTaking = takeOne.pipe(
    Effect.catchCause((cause) => Effect.andThen(Effect.logWarning(cause), Effect.sleep("1 second"))),
    Effect.forever
  )
  return yield* Effect.all(
    Array.from({ length: gamesAtOnce }, () => keepTaking),
    { concurrency: "unbounded", discard: true }
  )
})
