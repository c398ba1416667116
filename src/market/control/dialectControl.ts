import { route } from "../contract/operationRows.ts"
import { Schema, Effect } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { KnownDialectName } from "../../feed/contract/dialect/DialectName.ts"
import { BadRequest } from "../../feed/contract/Errors.ts"
import { type CurrentDialect, wordings } from "../wording/Wording.ts"

const CurrentDialect = Schema.Struct({ dialect: KnownDialectName })

/** The dialect of the answers, which the live service may change between requests. */
export const dialectRoutes = HttpApiGroup.make("controlDialect").add(
  route("GET", "dialect", "/sandbox/dialect", "The dialect that the marketplace speaks", { success: CurrentDialect }),
  route(
    "POST",
    "changeDialect",
    "/sandbox/dialect",
    "Let the marketplace speak another dialect from the next request on",
    { payload: CurrentDialect, success: CurrentDialect, error: [BadRequest] }
  )
)

export const dialectControl = (spoken: CurrentDialect) =>
  controlHandlers(dialectRoutes, (handlers) =>
    handlers
      .handle("dialect", () => Effect.sync(() => ({ dialect: spoken.wording.name })))
      .handle("changeDialect", ({ payload: { dialect } }) =>
        Effect.sync(() => {
          spoken.wording = wordings[dialect]
          return { dialect }
        })
      )
  )
