import { Effect, Result } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import type { NotFound } from "../../feed/contract/Errors.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { findAccount } from "../accounts/accountRows.ts"
import { State, type Transaction, write } from "../state/State.ts"
import { noSuch } from "../answers/notFound.ts"
import { replay } from "./deliveries.ts"
import {
  addEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint
} from "./endpoints.ts"
import { webhookRoutes } from "./webhookRoutes.ts"
import { testDelivery } from "./testDelivery.ts"
import { listDeliveries } from "./listDeliveries.ts"

const shownByDefault = 100

const endpointOf = (tx: Transaction, id: string) => {
  const endpoint = findEndpoint(tx, id)
  return endpoint === undefined ? Result.fail(noSuch("endpoint", id)) : Result.succeed(endpoint)
}

const replayDelivery = (
  tx: Transaction,
  id: string
): Result.Result<{ readonly replayed: true }, NotFound | Conflict> => {
  if (replay(tx, id)) return Result.succeed({ replayed: true })
  return tx.one("select id from deliveries where id = :id", { id }) === undefined
    ? Result.fail(noSuch("delivery", id))
    : Result.fail(new Conflict({ message: "The endpoint is switched off; switch it on first", data: {} }))
}

/** Sets up where events go, and shows what became of them. */
export const webhookControl = HttpApiBuilder.group(
  HttpApi.make("control").add(webhookRoutes),
  "controlWebhooks",
  (handlers) =>
    handlers
      .handle("endpoints", () => Effect.map(State, ({ store }) => ({ data: listEndpoints(store) })))
      .handle("createEndpoint", ({ payload: { accountId, url } }) =>
        write((tx) =>
          findAccount(tx, accountId) === undefined
            ? Result.fail(noSuch("account", accountId))
            : Result.succeed(addEndpoint(tx, accountId, url))
        )
      )
      .handle("switchEndpoint", ({ params: { endpointId }, payload: { enabled } }) =>
        write((tx) =>
          Result.flatMap(endpointOf(tx, endpointId), () => {
            if (enabled) enableEndpoint(tx, endpointId)
            else disableEndpoint(tx, endpointId)
            return endpointOf(tx, endpointId)
          })
        )
      )
      .handle("deleteEndpoint", ({ params: { endpointId } }) =>
        write((tx) =>
          Result.map(endpointOf(tx, endpointId), () => {
            removeEndpoint(tx, endpointId)
            return { deleted: true as const }
          })
        )
      )
      .handle("testEndpoint", ({ params: { endpointId } }) =>
        write((tx) => Result.flatMap(endpointOf(tx, endpointId), (endpoint) => testDelivery(tx, endpoint)))
      )
      .handle("deliveries", ({ query }) =>
        Effect.map(State, ({ store }) => ({ data: listDeliveries(store, { limit: shownByDefault, ...query }) }))
      )
      .handle("replayDelivery", ({ params: { deliveryId } }) => write((tx) => replayDelivery(tx, deliveryId)))
)
