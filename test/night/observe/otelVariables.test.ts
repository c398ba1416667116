import { assert } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { nightLog } from "../../../src/night/observe/nightLog.ts"
import { telemetry } from "../../../src/night/observe/observe.ts"
import { effect } from "../../support/suite.ts"

effect("names the variable that telemetry cannot be sent with, and not its value", function* () {
  for (const [name, value] of [
    ["OTEL_EXPORTER_OTLP_HEADERS", "x secret=a"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "x-a=secret%"],
    ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "x-a=secret%0d%0ax-b=c"],
    ["OTEL_EXPORTER_OTLP_LOGS_HEADERS", "secret"],
    ["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://secret:secret@127.0.0.1:9"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_CERTIFICATE", "/secret.pem"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "soon"],
    ["OTEL_TRACES_EXPORTER", "console"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=%secret"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=b,team:secret"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=b, =secret"]
  ] as const) {
    const said: Array<string> = []
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", [name]: value }
    yield* telemetry.pipe(
      Effect.scoped,
      Effect.provide(nightLog("text", (line) => said.push(line))),
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
    )
    assert.match(said.join(""), new RegExp(`an OTEL_ variable cannot be used: ${name} .*\\. .*The night continues`))
    assert.notInclude(said.join(""), "secret")
  }
})
