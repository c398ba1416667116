import { route } from "../contract/operationRows.ts"
import { Schema, Effect } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { BadRequest } from "../../feed/contract/Errors.ts"
import { basename, resolve } from "node:path"
import { badRequest } from "../answers/refusals.ts"

const ResetRequest = Schema.Struct({
  /** Name of the folder of `--state` to empty. Required with `--state`, otherwise not allowed. */
  state: Schema.optionalKey(Schema.String)
}).annotate({ title: "ResetRequest" })

/** Resets the sandbox to its start. */
export const resetRoutes = HttpApiGroup.make("controlReset").add(
  route(
    "POST",
    "reset",
    "/sandbox/reset",
    "Put everything back to how it was at the start; with --state only if `state` repeats the folder's name",
    {
      payload: [Schema.Null, ResetRequest],
      success: Schema.Struct({ reset: Schema.Literal(true) }),
      error: [BadRequest]
    }
  )
)

/** Resets the market. A state in `folder` is emptied only if the request names it. */
export const resetControl = (folder: string | undefined, reset: Effect.Effect<void>) =>
  controlHandlers(resetRoutes, (handlers) =>
    handlers.handle(
      "reset",
      Effect.fnUntraced(function* ({ payload }) {
        const name = folder === undefined ? undefined : basename(resolve(folder))
        if (name !== undefined && payload?.state !== name && payload?.state !== folder) {
          const message = `everything kept in ${name} would be removed; repeat its name: ${JSON.stringify({ state: name })}`
          return yield* badRequest("state", message)
        }
        yield* reset
        return { reset: true as const }
      })
    )
  )
