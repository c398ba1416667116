import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { basename, resolve } from "node:path"
import { badRequest } from "../answers/badRequest.ts"
import { ControlApi } from "./ControlApi.ts"

/** Puts the market back to its start; `folder` keeps its state, and is emptied only by its name. */
export const resetControl = (folder: string | undefined, reset: Effect.Effect<void>) =>
  HttpApiBuilder.group(ControlApi, "controlReset", (handlers) =>
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
