import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { findGame } from "../catalogue/findLive.ts"
import { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import { ControlApi } from "./ControlApi.ts"

/** Makes deployments live, and rebuilds prices between them. */
export const deployControl = HttpApiBuilder.group(ControlApi, "controlDeploy", (handlers) =>
  handlers
    .handle(
      "deploy",
      Effect.fnUntraced(function* ({ payload: { gameId } }) {
        const deployed = yield* (yield* findGame(gameId)).deploy
        if (deployed !== undefined) return { gameId, ...deployed }
        return yield* new Conflict({
          message: `${gameId} has no further deployment; start the sandbox again`,
          data: {}
        })
      })
    )
    .handle(
      "reprice",
      Effect.fnUntraced(function* ({ payload: { gameId, seed } }) {
        const games = gameId === undefined ? [...(yield* LiveCatalogue).games.values()] : [yield* findGame(gameId)]
        return {
          data: games.map(({ live, rebuilt, reprice, stored }) => {
            const made = reprice(seed)
            const rebuilds = rebuilt.of(live()).length
            return { gameId: stored.game.id, seed: made.seed, rebuiltAt: textOfMillis(made.at), rebuilds }
          })
        }
      })
    )
)
