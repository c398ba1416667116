import { route } from "../contract/operationRows.ts"
import { Schema, Effect } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { Count } from "../../feed/contract/Catalogue.ts"
import { BadRequest } from "../../feed/contract/Errors.ts"
import { FaultPlan } from "../faults/FaultPlan.ts"
import { badRequest } from "../answers/refusals.ts"
import { Faults } from "../faults/Faults.ts"
import { checkFaultPlan } from "../faults/readFaultPlan.ts"

/** `requests` and `injected` count from the start of the plan, and only while faults are on. */
const FaultState = Schema.Struct({
  on: Schema.Boolean,
  plan: FaultPlan,
  requests: Count,
  injected: Schema.Record(Schema.String, Count)
}).annotate({ title: "FaultState" })

/** The fault plan, and the counts of requests and injected faults. */
export const faultRoutes = HttpApiGroup.make("controlFaults").add(
  route(
    "GET",
    "faults",
    "/sandbox/faults",
    "The plan of faults, whether it is on, how many requests came, and how many faults of each kind happened",
    { success: FaultState }
  ),
  route(
    "PUT",
    "replaceFaults",
    "/sandbox/faults",
    "Another plan of faults, from the next request on; its counts begin at 0",
    { payload: FaultPlan, success: FaultState, error: [BadRequest] }
  ),
  route("PATCH", "turnFaults", "/sandbox/faults", "Switch faults on or off; the plan and its counts stay", {
    payload: Schema.Struct({ on: Schema.Boolean }),
    success: FaultState
  })
)

const shown = ({ isOn, ledger, plan }: Faults["Service"]) => ({
  on: isOn(),
  plan: plan(),
  requests: [...ledger().requests().values()].reduce((sum, count) => sum + count, 0),
  injected: ledger().injected().counts
})

export const faultControl = controlHandlers(faultRoutes, (handlers) =>
  handlers
    .handle("faults", () => Effect.map(Faults, shown))
    // The body is checked like a file, because a misspelled setting would affect every request.
    .handleRaw(
      "replaceFaults",
      Effect.fnUntraced(function* ({ request }) {
        const sent = yield* Effect.mapError(request.json, () => badRequest("body", "is not JSON"))
        const plan = yield* Effect.mapError(checkFaultPlan("The fault plan", sent), ({ path, reason }) =>
          badRequest(path === "" ? "body" : path, reason)
        )
        const faults = yield* Faults
        faults.replace(plan)
        return shown(faults)
      })
    )
    .handle("turnFaults", ({ payload: { on } }) =>
      Effect.map(Faults, (faults) => {
        faults.turn(on)
        return shown(faults)
      })
    )
)
