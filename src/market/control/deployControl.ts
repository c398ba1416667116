import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { envelopeAnswer } from "../answers/envelopeAnswer.ts"
import { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import { ControlApi } from "./ControlApi.ts"
import { DeployRequest } from "./deployRoutes.ts"

const Body = Schema.fromJsonString(DeployRequest)

/** Makes deployments live. The body is read as text, so that `curl -d` needs no content type. */
export const deployControl = HttpApiBuilder.group(ControlApi, "controlDeploy", (handlers) =>
  handlers.handleRaw(
    "deploy",
    Effect.fnUntraced(function* ({ request }) {
      const { games } = yield* LiveCatalogue
      const body = yield* Effect.option(Effect.flatMap(request.text, Schema.decodeEffect(Body)))
      if (body._tag === "None") {
        const message = 'gameId: send {"gameId": "<id of a game>"}'
        return envelopeAnswer(400, { code: "BAD_REQUEST", message, data: { field: "gameId" } })
      }
      const { gameId } = body.value
      const game = games.get(gameId)
      if (game === undefined) {
        const message = `No game has the id ${gameId}`
        return envelopeAnswer(404, { code: "GAME_NOT_FOUND", message, data: { gameId } })
      }
      const deployed = yield* game.deploy
      return deployed === undefined
        ? envelopeAnswer(409, {
            code: "CONFLICT",
            message: `${gameId} has no further deployment; start the sandbox again`,
            data: { gameId }
          })
        : HttpServerResponse.jsonUnsafe({ gameId, ...deployed })
    })
  )
)
