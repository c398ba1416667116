import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { badRequest } from "../answers/badRequest.ts"
import { Faults } from "../faults/Faults.ts"
import { checkFaultPlan } from "../faults/readFaultPlan.ts"
import { ControlApi } from "./ControlApi.ts"

const shown = ({ isOn, ledger, plan }: Faults["Service"]) => ({
  on: isOn(),
  plan: plan(),
  requests: [...ledger().requests().values()].reduce((sum, count) => sum + count, 0),
  injected: ledger().injected().counts
})

/** Shows what goes wrong, and changes it. */
export const faultControl = HttpApiBuilder.group(ControlApi, "controlFaults", (handlers) =>
  handlers
    .handle("faults", () => Effect.map(Faults, shown))
    // Checked as a file is: a mistyped setting would strike every request.
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
