import { Context, Effect, Layer, Config, ConfigProvider } from "effect"
import { nightWarning, Observation } from "./Observation.ts"
import { nightLog, type LogForm } from "./nightLog.ts"
import { hasEndpoint, otelFault, withoutBlanks } from "./otelVariables.ts"

/** Defaults for OpenTelemetry: all three signals, and a short, bounded shutdown. */
const defaults = {
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp",
  OTEL_EXPORTER_OTLP_TIMEOUT: "1250"
}

const text = (name: string) => Config.String(name).pipe(Config.withDefault(""))
const variables = Config.all({
  disabled: text("OTEL_SDK_DISABLED"),
  protocol: text("OTEL_EXPORTER_OTLP_PROTOCOL"),
  attributes: text("OTEL_RESOURCE_ATTRIBUTES")
})

const unfit = (what: string) =>
  nightWarning("telemetry", `No telemetry is sent: an OTEL_ variable cannot be used${what}. The night continues`)

/**
 * Sends traces, metrics and logs over OTLP as the `OTEL_*` variables configure. Without an address nothing is loaded.
 * Invalid variables are a warning. The rest is sent when the scope closes.
 */
export const telemetry = Effect.gen(function* () {
  const { attributes, disabled, protocol } = yield* variables
  if (!(yield* hasEndpoint) || disabled.trim().toLowerCase() === "true") return Layer.empty
  const fault = yield* otelFault
  if (fault !== null) return Layer.effectDiscard(unfit(`: ${fault}`))
  const { otlp } = yield* Effect.promise(() => import("./otlp.ts"))
  const name = /(^|,)\s*service\.name\s*=/.test(attributes) ? {} : { OTEL_SERVICE_NAME: "cardlake" }
  const fallback = ConfigProvider.fromUnknown({ ...defaults, ...name })
  const settings = Effect.map(ConfigProvider.ConfigProvider, (provider) =>
    ConfigProvider.orElse(withoutBlanks(provider), fallback)
  )
  return otlp(protocol, attributes).pipe(Layer.provide(ConfigProvider.layer(settings)))
}).pipe(
  Layer.unwrap,
  Layer.build,
  Effect.catchCause(() => Effect.flatMap(unfit(""), () => Layer.build(Layer.empty)))
)

export interface LogTo {
  readonly form: LogForm
  readonly write: (line: string) => void
}

/** Runs `program` with its events as log lines and, if `OTEL_*` variables are set, over OTLP. */
export const observe = <A, E, R>({ form, write }: LogTo, program: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const loggers = yield* Layer.build(nightLog(form, write))
    const sent = yield* Effect.provideContext(telemetry, loggers)
    return yield* Effect.provideContext(
      program,
      Context.mergeAll(loggers, sent, Context.make(Observation, { ...(yield* Observation), hasEvents: true }))
    )
  }).pipe(Effect.scoped)
