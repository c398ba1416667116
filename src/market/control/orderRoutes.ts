import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { InvalidTransition } from "../contract/account/AccountErrors.ts"
import { BadRequest, NotFound } from "../../contract/Errors.ts"
import { RecipientRole } from "../contract/events/OrderEvents.ts"
import { Amount, Money } from "../contract/Money.ts"
import { AmountTooHigh, InvalidStatus, TrackingNumberRequired } from "../contract/orders/OrderErrors.ts"
import { Rating } from "../contract/orders/OrderParty.ts"
import { OrderStatus } from "../contract/orders/OrderStatus.ts"

/** An order as the control routes show it; `next` are the statuses that it can get into. */
const ControlOrder = Schema.Struct({
  orderNumber: Schema.String,
  status: OrderStatus,
  buyerId: Schema.String,
  sellerId: Schema.String,
  placedAt: Schema.String,
  total: Money,
  next: Schema.Array(OrderStatus)
}).annotate({ title: "ControlOrder" })

const order = { orderNumber: Schema.String }
const text = Schema.optionalKey(Schema.NonEmptyString)

const StepRequest = Schema.Struct({
  to: OrderStatus,
  reason: text,
  reasonText: text,
  amount: Schema.optionalKey(Amount)
}).annotate({ title: "StepRequest" })

/** What a carrier reports; the status `delivered` ends the journey. */
const ScanRequest = Schema.Struct({
  status: Schema.NonEmptyString,
  location: text,
  description: text,
  carrier: text
}).annotate({ title: "ScanRequest" })

/** The support writes to both sides, under a name of its own. */
const Message = Schema.Struct({
  from: Schema.Union([RecipientRole, Schema.Literal("support")]),
  hasAttachments: Schema.optionalKey(Schema.Boolean)
}).annotate({ title: "Message" })

const Review = Schema.Struct({ stars: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })) }).annotate({
  title: "Review"
})

/**
 * What buyers, carriers and the service do with orders, for
 * which the API has no operation. Beyond the spec: section 12.
 */
export const orderRoutes = HttpApiGroup.make("controlOrders").add(
  HttpApiEndpoint.get("orders", "/sandbox/orders", {
    query: {
      accountId: Schema.optionalKey(Schema.String),
      limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })))
    },
    success: Schema.Struct({ data: Schema.Array(ControlOrder) })
  }).annotate(OpenApi.Summary, "Orders with the statuses that each can get into"),
  HttpApiEndpoint.post("step", "/sandbox/orders/:orderNumber/steps", {
    params: order,
    payload: StepRequest,
    success: ControlOrder,
    error: [BadRequest, NotFound, InvalidTransition, AmountTooHigh, TrackingNumberRequired]
  }).annotate(OpenApi.Summary, "What the buyer, the carrier or the service does with an order: another status"),
  HttpApiEndpoint.post("scan", "/sandbox/orders/:orderNumber/scans", {
    params: order,
    payload: ScanRequest,
    success: ControlOrder,
    error: [NotFound, InvalidStatus]
  }).annotate(OpenApi.Summary, "A carrier's scan; `delivered` delivers the order"),
  HttpApiEndpoint.post("message", "/sandbox/orders/:orderNumber/messages", {
    params: order,
    payload: Message,
    success: Schema.Struct({ messageId: Schema.String }),
    error: NotFound
  }).annotate(OpenApi.Summary, "A message of one side to the other, or of the support to both"),
  HttpApiEndpoint.post("review", "/sandbox/orders/:orderNumber/review", {
    params: order,
    payload: Review,
    success: Rating,
    error: [NotFound, InvalidStatus]
  }).annotate(OpenApi.Summary, "The buyer rates the seller, once the parcel has arrived; answers the seller's rating")
)
