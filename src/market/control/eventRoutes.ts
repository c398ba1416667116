import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MarketEvent } from "../contract/events/MarketEvent.ts"

/** Events as they were written, oldest first, whether or not anybody receives them. */
export const eventRoutes = HttpApiGroup.make("controlEvents").add(
  HttpApiEndpoint.get("events", "/sandbox/events", {
    query: {
      accountId: Schema.optionalKey(Schema.String),
      /** Only those with a greater number. */
      after: Schema.optionalKey(Schema.Int)
    },
    success: Schema.Struct({
      data: Schema.Array(Schema.Struct({ number: Schema.Int, accountId: Schema.String, event: MarketEvent }))
    })
  }).annotate(OpenApi.Summary, "Events as they were written, oldest first, whether or not anybody receives them")
)
