import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Fiber, Layer, type Redacted } from "effect"

const within = "1500 millis"

/** Whether Postgres answers right now. */
export const postgresAnswers = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const asked = yield* Layer.build(PgClient.layer({ url, maxConnections: 1, connectTimeout: "1 second" })).pipe(
    Effect.flatMap((services) => Context.get(services, PgClient.PgClient)`select 1`.valuesUnprepared),
    Effect.scoped,
    Effect.as(true),
    Effect.orElseSucceed(() => false),
    // Nobody waits for the end of a question that may have none.
    Effect.forkDetach
  )
  return yield* Effect.raceFirst(Fiber.join(asked), Effect.as(Effect.sleep(within), false))
})
