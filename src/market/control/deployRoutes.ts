import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Count } from "../../contract/Catalogue.ts"
import { BadRequest, NotFound } from "../../contract/Errors.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"

export const DeployRequest = Schema.Struct({ gameId: Schema.NonEmptyString }).annotate({ title: "DeployRequest" })

/** The next deployment of a game, which the real marketplace makes when it is ready. */
export const deployRoutes = HttpApiGroup.make("controlDeploy").add(
  HttpApiEndpoint.post("deploy", "/sandbox/deploy", {
    payload: DeployRequest,
    success: Schema.Struct({ gameId: Schema.String, deploymentId: Schema.String, remaining: Count }),
    error: [BadRequest, NotFound, Conflict]
  }).annotate(OpenApi.Summary, "Make a game's next deployment live; 409 when none is left")
)
