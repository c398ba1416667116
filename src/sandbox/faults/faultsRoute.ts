import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { FaultLedger } from "./FaultLedger.ts"

/**
 * `GET /sandbox/faults`: `{requests, injected}`, how many requests
 * came and how many faults of each kind happened. Without a key.
 */
export const faultsRoute = (ledger: FaultLedger) =>
  HttpRouter.add(
    "GET",
    "/sandbox/faults",
    Effect.sync(() => {
      const requests = [...ledger.requests().values()].reduce((sum, count) => sum + count, 0)
      return HttpServerResponse.jsonUnsafe({ requests, injected: ledger.injected().counts })
    })
  )
