import { scrubbing } from "./Observation.ts"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { Effect, Layer } from "effect"
import { Otlp, OtlpSerialization } from "effect/observability"
import packageJson from "../../../package.json" with { type: "json" }
import { scrubbed } from "../../feed/client/scrub.ts"
import { maxReceiptBytes, webClient } from "../../feed/client/webClient.ts"

/** Attributes that distinguish this process from others that run Cardlake. */
const worker = () => ({ "service.instance.id": randomUUID(), "host.name": hostname() })

/** Serializes OTLP, and removes the key from all texts of spans, metrics and events. */
const scrubbedForm = (form: Layer.Layer<OtlpSerialization.OtlpSerialization>) =>
  Layer.effect(
    OtlpSerialization.OtlpSerialization,
    Effect.gen(function* () {
      const scrub = yield* scrubbing
      const { logs, metrics, traces } = yield* OtlpSerialization.OtlpSerialization
      return {
        logs: (data: Parameters<typeof logs>[0]) => logs(scrubbed(scrub, data)),
        metrics: (data: Parameters<typeof metrics>[0]) => metrics(scrubbed(scrub, data)),
        traces: (data: Parameters<typeof traces>[0]) => traces(scrubbed(scrub, data))
      }
    })
  ).pipe(Layer.provide(form))

/** Effect's exporters, configured by the `OTEL_*` variables: JSON, or protobuf if set. gRPC is not supported. */
export const otlp = (protocol: string, attributes: string) =>
  Otlp.layerFromConfig({
    resource: {
      serviceVersion: packageJson.version,
      ...(/(^|,)\s*service\.instance\.id\s*=/.test(attributes) ? {} : { attributes: worker() })
    },
    loggerMergeWithExisting: true
  }).pipe(
    Layer.provide(
      scrubbedForm(protocol === "http/protobuf" ? OtlpSerialization.layerProtobuf : OtlpSerialization.layerJson)
    ),
    Layer.provide(webClient(maxReceiptBytes))
  )
