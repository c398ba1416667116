import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Spoken, wordings } from "../wording/Wording.ts"
import { ControlApi } from "./ControlApi.ts"

/** Shows and changes the dialect that is spoken. */
export const dialectControl = (spoken: Spoken) =>
  HttpApiBuilder.group(ControlApi, "controlDialect", (handlers) =>
    handlers
      .handle("dialect", () => Effect.sync(() => ({ dialect: spoken.wording.name })))
      .handle("changeDialect", ({ payload: { dialect } }) =>
        Effect.sync(() => {
          spoken.wording = wordings[dialect]
          return { dialect }
        })
      )
  )
