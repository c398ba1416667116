import { route } from "../contract/operationRows.ts"
import { Schema, Effect } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { Count } from "../../feed/contract/Catalogue.ts"
import { TalliedRequests, type AccountBuckets } from "../limits/AccountBuckets.ts"

/** How the accounts used their rate limits. */
export const limitRoutes = HttpApiGroup.make("controlLimits").add(
  route(
    "GET",
    "limits",
    "/sandbox/limits",
    "How many requests came from each account, how many were refused, and the most in 60 seconds",
    {
      success: Schema.Struct({
        perMinute: Count,
        accounts: Schema.Array(Schema.Struct({ accountId: Schema.String, ...TalliedRequests.fields }))
      })
    }
  )
)

/** Shows what the buckets counted. */
export const limitControl = (buckets: AccountBuckets) =>
  controlHandlers(limitRoutes, (handlers) =>
    handlers.handle("limits", () => Effect.sync(() => ({ perMinute: buckets.limit, accounts: buckets.tallied() })))
  )
