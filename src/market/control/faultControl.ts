import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotFound } from "../../contract/Errors.ts"
import { ControlApi } from "./ControlApi.ts"
import type { FaultLedger } from "../faults/FaultLedger.ts"

const noPlan = new NotFound({
  code: "NOT_FOUND",
  status: 404,
  message: "The sandbox has no fault plan and counts nothing; start it with --faults FILE",
  data: {}
})

/** Shows what the ledger counted; undefined: the sandbox has no plan. */
export const faultControl = (ledger: FaultLedger | undefined) =>
  HttpApiBuilder.group(ControlApi, "controlFaults", (handlers) =>
    handlers.handle("faults", () =>
      ledger === undefined
        ? Effect.fail(noPlan)
        : Effect.sync(() => ({
            requests: [...ledger.requests().values()].reduce((sum, count) => sum + count, 0),
            injected: ledger.injected().counts
          }))
    )
  )
