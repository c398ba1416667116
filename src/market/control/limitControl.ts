import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { AccountBuckets } from "../limits/AccountBuckets.ts"
import { ControlApi } from "./ControlApi.ts"

/** Shows what the buckets counted. */
export const limitControl = (buckets: AccountBuckets) =>
  HttpApiBuilder.group(ControlApi, "controlLimits", (handlers) =>
    handlers.handle("limits", () => Effect.sync(() => ({ perMinute: buckets.limit, accounts: buckets.tallied() })))
  )
