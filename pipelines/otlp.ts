import { Layer } from "effect"
import { Otlp, OtlpSerialization } from "effect/observability"
import packageJson from "../package.json" with { type: "json" }
import { largestReceiptBytes, webClient } from "../src/client/webClient.ts"

/** The exporters of Effect, set up by the `OTEL_*` variables. JSON unless protobuf is asked for; there is no gRPC. */
export const otlp = (protocol: string) =>
  Otlp.layerFromConfig({ resource: { serviceVersion: packageJson.version }, loggerMergeWithExisting: true }).pipe(
    Layer.provide(protocol === "http/protobuf" ? OtlpSerialization.layerProtobuf : OtlpSerialization.layerJson),
    Layer.provide(webClient(largestReceiptBytes))
  )
