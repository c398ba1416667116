import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { findGame } from "../catalogue/findLive.ts"
import { ControlApi } from "./ControlApi.ts"

/** Makes deployments live. */
export const deployControl = HttpApiBuilder.group(ControlApi, "controlDeploy", (handlers) =>
  handlers.handle(
    "deploy",
    Effect.fnUntraced(function* ({ payload: { gameId } }) {
      const deployed = yield* (yield* findGame(gameId)).deploy
      if (deployed !== undefined) return { gameId, ...deployed }
      return yield* new Conflict({ message: `${gameId} has no further deployment; start the sandbox again`, data: {} })
    })
  )
)
