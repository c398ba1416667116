import { route } from "../contract/operationRows.ts"
import { Schema, Effect } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { Count, Instant } from "../../feed/contract/Catalogue.ts"
import { BadRequest, NotFound } from "../../feed/contract/Errors.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { findGame, LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import { textOfMillis } from "../state/MarketClock.ts"

const DeployRequest = Schema.Struct({ gameId: Schema.NonEmptyString }).annotate({ title: "DeployRequest" })

const RepriceRequest = Schema.Struct({
  gameId: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Without it, every game." })),
  seed: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })).annotate({
      description:
        "The same seed moves the same prices alike; default: how many rebuilds of the deployment there are with this one."
    })
  )
}).annotate({ title: "RepriceRequest" })

/** `rebuilds` counts price rebuilds of the live deployment. */
const PriceRebuild = Schema.Struct({
  gameId: Schema.String,
  seed: Schema.Int,
  rebuiltAt: Instant,
  rebuilds: Count
}).annotate({ title: "PriceRebuild" })

/** Triggers deployments and price rebuilds, which the real marketplace schedules itself. */
export const deployRoutes = HttpApiGroup.make("controlDeploy").add(
  route("POST", "deploy", "/sandbox/deploy", "Make a game's next deployment live; 409 when none is left", {
    payload: DeployRequest,
    success: Schema.Struct({ gameId: Schema.String, deploymentId: Schema.String, remaining: Count }),
    error: [BadRequest, NotFound, Conflict]
  }),
  route(
    "POST",
    "reprice",
    "/sandbox/reprice",
    "Rebuild the source prices of a game, or of all, apart from a deployment: no changelog entry tells of it",
    {
      payload: RepriceRequest,
      success: Schema.Struct({ data: Schema.Array(PriceRebuild) }),
      error: [BadRequest, NotFound]
    }
  )
)

export const deployControl = controlHandlers(deployRoutes, (handlers) =>
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
