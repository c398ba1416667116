import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { ErrorEnvelope } from "../../contract/Errors.ts"
import { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"

const Body = Schema.fromJsonString(Schema.Struct({ gameId: Schema.NonEmptyString }))

const envelope = (status: number, code: string, message: string, data: ErrorEnvelope["data"]) =>
  HttpServerResponse.jsonUnsafe({ code, status, message, data } satisfies ErrorEnvelope, { status })

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
      return envelope(400, "BAD_REQUEST", 'gameId: send {"gameId": "<id of a game>"}', { field: "gameId" })
    }
    const { gameId } = body.value
    const game = games.get(gameId)
    if (game === undefined) return envelope(404, "GAME_NOT_FOUND", `No game has the id ${gameId}`, { gameId })
    const deployed = yield* game.deploy
    return deployed === undefined
      ? envelope(409, "CONFLICT", `${gameId} has no further deployment; start the sandbox again`, { gameId })
      : HttpServerResponse.jsonUnsafe({ gameId, ...deployed })
  })
)
