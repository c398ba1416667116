import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Count } from "../../contract/Catalogue.ts"
import { TalliedRequests } from "../limits/AccountTally.ts"

/** How the accounts used their rate limits. */
export const limitRoutes = HttpApiGroup.make("controlLimits").add(
  HttpApiEndpoint.get("limits", "/sandbox/limits", {
    success: Schema.Struct({
      perMinute: Count,
      accounts: Schema.Array(Schema.Struct({ accountId: Schema.String, ...TalliedRequests.fields }))
    })
  }).annotate(
    OpenApi.Summary,
    "How many requests came from each account, how many were refused, and the most in 60 seconds"
  )
)
