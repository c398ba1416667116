import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Instant } from "../../contract/Catalogue.ts"
import { webAddressFault } from "../../contract/webAddressFault.ts"
import { NotFound } from "../../contract/Errors.ts"
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
const endpointId = { endpointId: Schema.String }
const newest = {
  /** Only those that began earlier than this delivery. */
  before: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })))
}

/** Endpoints and deliveries, which the real marketplace shows in web pages. Beyond the spec: section 14. */
export const webhookRoutes = HttpApiGroup.make("controlWebhooks").add(
  HttpApiEndpoint.get("endpoints", "/sandbox/webhooks", {
    success: Schema.Struct({ data: Schema.Array(WebhookEndpoint) })
  }).annotate(OpenApi.Summary, "Endpoints of webhooks"),
  HttpApiEndpoint.post("createEndpoint", "/sandbox/webhooks", {
    payload: Schema.Struct({ accountId: Schema.String, url: Address }),
    success: Schema.Struct({ id: Schema.String, secret: Schema.String }),
    error: NotFound
  }).annotate(OpenApi.Summary, "Send an account's events to an address from now on; the secret is shown once"),
  HttpApiEndpoint.patch("switchEndpoint", "/sandbox/webhooks/:endpointId", {
    params: endpointId,
    payload: Schema.Struct({ enabled: Schema.Boolean }),
    success: WebhookEndpoint,
    error: NotFound
  }).annotate(OpenApi.Summary, "Switch an endpoint of webhooks on or off"),
  HttpApiEndpoint.delete("deleteEndpoint", "/sandbox/webhooks/:endpointId", {
    params: endpointId,
    success: Schema.Struct({ deleted: Schema.Literal(true) }),
    error: NotFound
  }).annotate(OpenApi.Summary, "Remove an endpoint of webhooks"),
  HttpApiEndpoint.post("testEndpoint", "/sandbox/webhooks/:endpointId/test", {
    params: endpointId,
    success: Schema.Struct({ eventId: Schema.String, deliveryId: Schema.String }),
    error: [NotFound, Conflict]
  }).annotate(
    OpenApi.Summary,
    "Send `balance.updated` with the account's balance as it is, to this endpoint alone; 409 if it is switched off"
  ),
  HttpApiEndpoint.get("deliveries", "/sandbox/deliveries", {
    query: { ...newest, endpointId: Schema.optionalKey(Schema.String) },
    success: Schema.Struct({ data: Schema.Array(Delivery) })
  }).annotate(OpenApi.Summary, "Deliveries to webhooks with their attempts"),
  HttpApiEndpoint.post("replayDelivery", "/sandbox/deliveries/:deliveryId/replay", {
    params: { deliveryId: Schema.String },
    success: Schema.Struct({ replayed: Schema.Literal(true) }),
    error: [NotFound, Conflict]
  }).annotate(OpenApi.Summary, "Send a delivery again")
)
