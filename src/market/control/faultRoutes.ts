import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Count } from "../../contract/Catalogue.ts"
import { BadRequest } from "../../contract/Errors.ts"
import { FaultPlan } from "../faults/FaultPlan.ts"

/** `requests` and `injected` count from when the plan was given, and only while faults are on. */
const FaultState = Schema.Struct({
  on: Schema.Boolean,
  plan: FaultPlan,
  requests: Count,
  injected: Schema.Record(Schema.String, Count)
}).annotate({ title: "FaultState" })

/** What goes wrong, and how many requests came and faults happened so far. */
export const faultRoutes = HttpApiGroup.make("controlFaults").add(
  HttpApiEndpoint.get("faults", "/sandbox/faults", { success: FaultState }).annotate(
    OpenApi.Summary,
    "The plan of faults, whether it is on, how many requests came, and how many faults of each kind happened"
  ),
  HttpApiEndpoint.put("replaceFaults", "/sandbox/faults", {
    payload: FaultPlan,
    success: FaultState,
    error: BadRequest
  }).annotate(OpenApi.Summary, "Another plan of faults, from the next request on; its counts begin at 0"),
  HttpApiEndpoint.patch("turnFaults", "/sandbox/faults", {
    payload: Schema.Struct({ on: Schema.Boolean }),
    success: FaultState
  }).annotate(OpenApi.Summary, "Switch faults on or off; the plan and its counts stay")
)
