import { Effect, Result, Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { NotFound } from "../../feed/contract/Errors.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { accountIn } from "../accounts/accounts.ts"
import { State, type Transaction, write, type Store } from "../state/State.ts"
import { noSuch } from "../answers/refusals.ts"
import { replay, disableEndpoint } from "./emit.ts"
import {
  addEndpoint,
  enableEndpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  testDelivery,
  switchedOff,
  WebhookEndpoint
} from "./endpoints.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import { route } from "../contract/operationRows.ts"
import { Instant } from "../../feed/contract/Catalogue.ts"
import { webAddressFault } from "../../feed/contract/SettingInvalid.ts"

const when = Schema.NullOr(Instant)

const Attempt = Schema.Struct({
  attemptedAt: Instant,
  status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String)
}).annotate({ title: "DeliveryAttempt" })

/** A delivery of an event to an endpoint. `nextAttemptAt` is null when no attempt is scheduled. */
const Delivery = Schema.Struct({
  id: Schema.String,
  endpointId: Schema.String,
  eventId: Schema.String,
  type: Schema.String,
  state: Schema.Literals(["pending", "delivered", "failed"]),
  nextAttemptAt: when,
  attempts: Schema.Array(Attempt)
}).annotate({ title: "Delivery" })
type Delivery = typeof Delivery.Type

const Address = Schema.String.check(
  Schema.makeFilter((text: string) => {
    const fault = webAddressFault(text)
    return fault === null ? undefined : `an address of a webhook that can be sent to; this one ${fault}`
  })
)
const newest = {
  /** Only deliveries that began before this one. */
  before: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })))
}

/** Endpoints and deliveries, which the real marketplace shows in web pages. Beyond the spec: section 14. */
export const webhookRoutes = HttpApiGroup.make("controlWebhooks").add(
  route("GET", "endpoints", "/sandbox/webhooks", "Endpoints of webhooks", {
    success: Schema.Struct({ data: Schema.Array(WebhookEndpoint) })
  }),
  route(
    "POST",
    "createEndpoint",
    "/sandbox/webhooks",
    "Send an account's events to an address from now on; the secret is shown once",
    {
      payload: Schema.Struct({ accountId: Schema.String, url: Address }),
      success: Schema.Struct({ id: Schema.String, secret: Schema.String }),
      error: [NotFound]
    }
  ),
  route("PATCH", "switchEndpoint", "/sandbox/webhooks/:endpointId", "Switch an endpoint of webhooks on or off", {
    payload: Schema.Struct({ enabled: Schema.Boolean }),
    success: WebhookEndpoint
  }),
  route("DELETE", "deleteEndpoint", "/sandbox/webhooks/:endpointId", "Remove an endpoint of webhooks", {
    success: Schema.Struct({ deleted: Schema.Literal(true) })
  }),
  route(
    "POST",
    "testEndpoint",
    "/sandbox/webhooks/:endpointId/test",
    "Send `balance.updated` with the account's balance as it is, to this endpoint alone; 409 if it is switched off",
    { success: Schema.Struct({ eventId: Schema.String, deliveryId: Schema.String }), error: [Conflict] }
  ),
  route("GET", "deliveries", "/sandbox/deliveries", "Deliveries to webhooks with their attempts", {
    query: { ...newest, endpointId: Schema.optionalKey(Schema.String) },
    success: Schema.Struct({ data: Schema.Array(Delivery) })
  }),
  route("POST", "replayDelivery", "/sandbox/deliveries/:deliveryId/replay", "Send a delivery again", {
    success: Schema.Struct({ replayed: Schema.Literal(true) }),
    error: [Conflict]
  })
)

interface DeliveryRow {
  readonly id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly type: string
  readonly state: Delivery["state"]
  readonly next_at_millis: number | null
}

interface AttemptRow {
  readonly attempted_at: string
  readonly status: number | null
  readonly error: string | null
}

interface DeliveryFilter {
  readonly endpointId?: string | undefined
  /** Only deliveries that began before this one. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Returns deliveries with their attempts, newest first. */
export const listDeliveries = (store: Store, { before, endpointId, limit }: DeliveryFilter): ReadonlyArray<Delivery> =>
  store
    .all<DeliveryRow>(
      `select delivery.id, endpoint_id, event_id, type, state, next_at_millis
       from deliveries delivery join events event on event.number = event_number
       where endpoint_id = coalesce(:endpointId, endpoint_id) and (:before is null or delivery.id < :before)
       order by delivery.id desc limit :limit`,
      { endpointId: endpointId ?? null, before: before ?? null, limit }
    )
    .map((row) => ({
      id: row.id,
      endpointId: row.endpoint_id,
      eventId: row.event_id,
      type: row.type,
      state: row.state,
      nextAttemptAt: row.next_at_millis === null ? null : textOfMillis(row.next_at_millis),
      attempts: store
        .all<AttemptRow>("select * from delivery_attempts where delivery_id = :id order by number", { id: row.id })
        .map(({ attempted_at, status, error }) => ({ attemptedAt: attempted_at, status, error }))
    }))

const shownByDefault = 100

const requireEndpoint = (tx: Transaction, id: string) => {
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
    : Result.fail(switchedOff())
}

export const webhookControl = controlHandlers(webhookRoutes, (handlers) =>
  handlers
    .handle("endpoints", () => Effect.map(State, ({ store }) => ({ data: listEndpoints(store) })))
    .handle("createEndpoint", ({ payload: { accountId, url } }) =>
      write((tx) => Result.map(accountIn(tx, accountId), ({ id }) => addEndpoint(tx, id, url)))
    )
    .handle("switchEndpoint", ({ params: { endpointId }, payload: { enabled } }) =>
      write((tx) =>
        Result.flatMap(requireEndpoint(tx, endpointId), () => {
          if (enabled) enableEndpoint(tx, endpointId)
          else disableEndpoint(tx, endpointId)
          return requireEndpoint(tx, endpointId)
        })
      )
    )
    .handle("deleteEndpoint", ({ params: { endpointId } }) =>
      write((tx) =>
        Result.map(requireEndpoint(tx, endpointId), () => {
          removeEndpoint(tx, endpointId)
          return { deleted: true as const }
        })
      )
    )
    .handle("testEndpoint", ({ params: { endpointId } }) =>
      write((tx) => Result.flatMap(requireEndpoint(tx, endpointId), (endpoint) => testDelivery(tx, endpoint)))
    )
    .handle("deliveries", ({ query }) =>
      Effect.map(State, ({ store }) => ({ data: listDeliveries(store, { limit: shownByDefault, ...query }) }))
    )
    .handle("replayDelivery", ({ params: { deliveryId } }) => write((tx) => replayDelivery(tx, deliveryId)))
)
