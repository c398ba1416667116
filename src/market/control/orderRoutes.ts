import { ScanRequest } from "../orders/shipOrder.ts"
import { StepRequest } from "../orders/stepOrder.ts"
import { route } from "../contract/operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { Instant, matching } from "../../feed/contract/Catalogue.ts"
import { InvalidTransition } from "../contract/account/accountOperations.ts"
import { BadRequest } from "../../feed/contract/Errors.ts"
import { RecipientRole } from "../contract/events/MarketEvent.ts"
import { Money } from "../contract/Money.ts"
import {
  AmountTooHigh,
  InvalidStatus,
  MetadataLimitExceeded,
  ShippingManaged,
  TrackingNumberRequired,
  TrackingRegistrationFailed
} from "../contract/orders/orderOperations.ts"
import { Rating, OrderStatus } from "../contract/orders/orderParts.ts"
import { PurchaseDetail, SaleDetail } from "../contract/orders/Order.ts"

/** An order in control routes. `next` has its possible next statuses. */
const ControlOrder = Schema.Struct({
  orderNumber: Schema.String,
  status: OrderStatus,
  buyerId: Schema.String,
  sellerId: Schema.String,
  placedAt: Schema.String,
  total: Money,
  next: Schema.Array(OrderStatus)
}).annotate({ title: "ControlOrder" })

/** An order with all its details. */
export const ControlOrderDetail = Schema.Struct({
  ...ControlOrder.fields,
  sale: SaleDetail,
  purchase: PurchaseDetail,
  steps: Schema.Array(
    Schema.Struct({ at: Instant, status: Schema.String, reason: Schema.NullOr(Schema.String) }).annotate({
      title: "OrderStep"
    })
  ),
  messages: Schema.Array(
    Schema.Struct({
      messageId: Schema.String,
      sentAt: Instant,
      from: Schema.String,
      to: Schema.Array(RecipientRole),
      hasAttachments: Schema.Boolean
    }).annotate({ title: "OrderMessage" })
  ),
  stars: Schema.NullOr(Schema.Int)
}).annotate({
  title: "ControlOrderDetail",
  description: "An order as both sides see it, what happened to it, who wrote to whom, and the buyer's stars."
})

/** A message. Support writes to both sides, under its own name. */
const Message = Schema.Struct({
  from: Schema.Union([RecipientRole, Schema.Literal("support")]),
  hasAttachments: Schema.optionalKey(Schema.Boolean)
}).annotate({ title: "Message" })
export type MessageRequest = typeof Message.Type

const Review = Schema.Struct({ stars: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })) }).annotate({
  title: "Review"
})

/** Actions of buyers, carriers and the service, which have no API operation. Beyond the spec: section 12. */
export const orderRoutes = HttpApiGroup.make("controlOrders").add(
  route(
    "GET",
    "orders",
    "/sandbox/orders",
    "Orders with the statuses that each can get into, newest first; go on with `nextCursor` until it is null",
    {
      query: {
        accountId: Schema.optionalKey(Schema.String),
        status: Schema.optionalKey(OrderStatus),
        /** The day on which the orders were placed. */
        day: Schema.optionalKey(Schema.String.check(matching(/^\d{4}-\d{2}-\d{2}$/, "a day, such as 2026-03-01"))),
        cursor: Schema.optionalKey(Schema.String),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })))
      },
      success: Schema.Struct({ data: Schema.Array(ControlOrder), nextCursor: Schema.NullOr(Schema.String) }),
      error: [BadRequest]
    }
  ),
  route("GET", "order", "/sandbox/orders/:orderNumber", "An order as both sides see it, with its steps and messages", {
    success: ControlOrderDetail
  }),
  route(
    "POST",
    "step",
    "/sandbox/orders/:orderNumber/steps",
    "What the buyer, the carrier or the service does with an order: another status",
    {
      payload: StepRequest,
      success: ControlOrder,
      error: [
        BadRequest,
        InvalidTransition,
        InvalidStatus,
        AmountTooHigh,
        MetadataLimitExceeded,
        TrackingNumberRequired,
        ShippingManaged,
        TrackingRegistrationFailed
      ]
    }
  ),
  route("POST", "scan", "/sandbox/orders/:orderNumber/scans", "A carrier's scan; `delivered` delivers the order", {
    payload: ScanRequest,
    success: ControlOrder,
    error: [InvalidStatus]
  }),
  route(
    "POST",
    "message",
    "/sandbox/orders/:orderNumber/messages",
    "A message of one side to the other, or of the support to both",
    { payload: Message, success: Schema.Struct({ messageId: Schema.String }) }
  ),
  route(
    "POST",
    "review",
    "/sandbox/orders/:orderNumber/review",
    "The buyer rates the seller, once the parcel has arrived; answers the seller's rating",
    { payload: Review, success: Rating, error: [InvalidStatus] }
  )
)
