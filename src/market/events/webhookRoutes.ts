import { route } from "../contract/operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { Instant } from "../../feed/contract/Catalogue.ts"
import { webAddressFault } from "../../feed/contract/SettingInvalid.ts"
import { NotFound } from "../../feed/contract/Errors.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"

const when = Schema.NullOr(Instant)

/** `failingSince` is the first failure since the last acknowledgement; `disabledAt` is null while it is on. */
const WebhookEndpoint = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  url: Schema.String,
  createdAt: Instant,
  failingSince: when,
  disabledAt: when
}).annotate({ title: "WebhookEndpoint" })

const Attempt = Schema.Struct({
  attemptedAt: Instant,
  status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String)
}).annotate({ title: "DeliveryAttempt" })

/** An event on its way to an endpoint. `nextAttemptAt` is null when none is planned. */
const Delivery = Schema.Struct({
  id: Schema.String,
  endpointId: Schema.String,
  eventId: Schema.String,
  type: Schema.String,
  state: Schema.Literals(["pending", "delivered", "failed"]),
  nextAttemptAt: when,
  attempts: Schema.Array(Attempt)
}).annotate({ title: "Delivery" })
export type Delivery = typeof Delivery.Type

const Address = Schema.String.check(
  Schema.makeFilter((text: string) => {
    const fault = webAddressFault(text)
    return fault === null ? undefined : `an address of a webhook that can be sent to; this one ${fault}`
  })
)
const newest = {
  /** Only those that began earlier than this delivery. */
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
