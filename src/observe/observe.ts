import { Context, Effect, Layer } from "effect"
import { Observed } from "./nightEvent.ts"
import { nightLog, type LogForm } from "./nightLog.ts"
import { telemetry } from "./telemetry.ts"

/** How events become log lines, and where they go. */
export interface LogTo {
  readonly form: LogForm
  readonly write: (line: string) => void
}

/** Runs `program` with its events as log lines and, if `OTEL_*` variables say so, over OTLP. */
export const observe = <A, E, R>({ form, write }: LogTo, program: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const loggers = yield* Layer.build(nightLog(form, write))
    const sent = yield* Effect.provideContext(telemetry, loggers)
    return yield* Effect.provideContext(program, Context.mergeAll(loggers, sent, Context.make(Observed, true)))
  }).pipe(Effect.scoped)
