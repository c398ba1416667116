import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { KnownDialectName } from "../../contract/DialectName.ts"
import { BadRequest } from "../../contract/Errors.ts"

const Spoken = Schema.Struct({ dialect: KnownDialectName })

/** How the marketplace words things, which the live service may change from one request to the next. */
export const dialectRoutes = HttpApiGroup.make("controlDialect").add(
  HttpApiEndpoint.get("dialect", "/sandbox/dialect", { success: Spoken }).annotate(
    OpenApi.Summary,
    "The dialect that the marketplace speaks"
  ),
  HttpApiEndpoint.post("changeDialect", "/sandbox/dialect", {
    payload: Spoken,
    success: Spoken,
    error: BadRequest
  }).annotate(OpenApi.Summary, "Let the marketplace speak another dialect from the next request on")
)
