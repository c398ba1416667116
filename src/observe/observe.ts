import { Context, Effect, Layer } from "effect"
import { Observed } from "./nightEvent.ts"
import { nightLog, type LogForm } from "./nightLog.ts"
import { telemetry } from "./telemetry.ts"

/** Runs `program` with its events as log lines on standard error and, if `OTEL_*` variables say so, over OTLP. */
export const observe = <A, E, R>(form: LogForm, program: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const loggers = yield* Layer.build(nightLog(form, (line) => void process.stderr.write(line)))
    const sent = yield* Effect.provideContext(telemetry, loggers)
    return yield* Effect.provideContext(program, Context.mergeAll(loggers, sent, Context.make(Observed, true)))
  }).pipe(Effect.scoped)
