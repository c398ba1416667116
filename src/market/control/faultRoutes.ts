import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Count } from "../../contract/Catalogue.ts"
import { NotFound } from "../../contract/Errors.ts"

/** How many requests came and how many faults of each kind happened. */
export const faultRoutes = HttpApiGroup.make("controlFaults").add(
  HttpApiEndpoint.get("faults", "/sandbox/faults", {
    success: Schema.Struct({ requests: Count, injected: Schema.Record(Schema.String, Count) }),
    error: NotFound
  }).annotate(OpenApi.Summary, "How many requests came and how many faults of each kind happened; 404 without --faults")
)
