import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest } from "../../contract/Errors.ts"

const ResetRequest = Schema.Struct({
  /** The name of the folder of `--state`, which is emptied. Needed with it, and only then. */
  state: Schema.optionalKey(Schema.String)
}).annotate({ title: "ResetRequest" })

/** Back to the start. */
export const resetRoutes = HttpApiGroup.make("controlReset").add(
  HttpApiEndpoint.post("reset", "/sandbox/reset", {
    payload: [Schema.Null, ResetRequest],
    success: Schema.Struct({ reset: Schema.Literal(true) }),
    error: BadRequest
  }).annotate(
    OpenApi.Summary,
    "Put everything back to how it was at the start; with --state only if `state` repeats the folder's name"
  )
)
