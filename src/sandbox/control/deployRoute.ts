import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { envelopeAnswer } from "../answers/envelopeAnswer.ts"
import { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"

const Body = Schema.fromJsonString(Schema.Struct({ gameId: Schema.NonEmptyString }))

/**
 * `POST /sandbox/deploy` with `{"gameId"}` makes the game's next deployment live: `{gameId, deploymentId, remaining}`.
 * For tests and demos: outside `/v1` and the contract, without a key. 404 for an unknown game, 409 when none is left.
 */
export const deployRoute = HttpRouter.add(
  "POST",
  "/sandbox/deploy",
  Effect.fnUntraced(function* (request) {
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
