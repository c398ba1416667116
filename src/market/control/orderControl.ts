import { Schema, Effect, Result } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { ScanRequest, StepRequest, reviewOrder, stepOrder, scanParcel } from "../orders/stepOrder.ts"
import { route } from "../contract/operationRows.ts"
import { Instant, matching } from "../../feed/contract/Catalogue.ts"
import { InvalidTransition } from "../contract/account/accountOperations.ts"
import { BadRequest } from "../../feed/contract/Errors.ts"
import { RecipientRole, type MarketEvent } from "../contract/events/MarketEvent.ts"
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
import { cursorPage } from "../answers/cursorPage.ts"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { findAccount } from "../accounts/accounts.ts"
import { emit } from "../events/emit.ts"
import { toMoney, State, type Transaction, write, type Store } from "../state/State.ts"
import { nextSteps, accountOn, findOrder, type OrderRow, type Side, sides } from "../orders/OrderRow.ts"
import { knownProducts, showPurchaseDetail, showSaleDetail } from "../orders/orderViews.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { badRequest } from "../answers/refusals.ts"

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

/** Filters of orders. `cursor` is the last order of the previous page. */
interface OrderFilter {
  readonly accountId?: string | undefined
  readonly status?: OrderStatus | undefined
  /** The day on which the orders were placed. */
  readonly day?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

const select = `
select * from orders
where (:accountId is null or :accountId in (buyer_id, seller_id))
  and (:status is null or status = :status)
  and (:day is null or substr(placed_at, 1, 10) = :day)
  and number < :before
order by number desc limit :limit`

/** Returns a page of orders, newest first, and the next cursor. */
export const orderPage = Effect.fnUntraced(function* ({ accountId, cursor, day, limit, status }: OrderFilter) {
  const { store } = yield* State
  const before =
    cursor === undefined
      ? Number.MAX_SAFE_INTEGER
      : store.one<{ number: number }>("select number from orders where order_number = :cursor", { cursor })?.number
  if (before === undefined) return yield* badRequest("cursor", "is not a cursor of this list; start without one")
  const rows = store.all<OrderRow>(select, {
    accountId: accountId ?? null,
    status: status ?? null,
    day: day ?? null,
    before,
    limit: limit + 1
  })
  const { next: nextCursor, shown: orders } = cursorPage(rows, limit, ({ order_number }) => order_number)
  return { orders, nextCursor }
})

type Detail = typeof ControlOrderDetail.Type

const selectOrderEvents = `
select body from events
where type in ('order.status.changed', 'message.received')
  and coalesce(body ->> '$.data.orderNumber', body ->> '$.data.context.orderNumber') = :orderNumber
order by number`

/** Returns the history of an order from its events and messages, oldest first. */
const orderStory = (store: Store, orderNumber: string) => {
  const steps: Array<Detail["steps"][number]> = []
  const messages = new Map<string, Detail["messages"][number]>()
  for (const { body } of store.all<{ body: string }>(selectOrderEvents, { orderNumber })) {
    const event = JSON.parse(body) as MarketEvent
    if (event.type === "order.status.changed" && event.recipientRole === "seller") {
      steps.push({ at: event.data.changedAt, status: event.data.status, reason: event.data.reason })
    }
    if (event.type !== "message.received") continue
    const { context, hasAttachments, messageId, sender, sentAt } = event.data
    const to = [...(messages.get(messageId)?.to ?? []), context.yourRole]
    messages.set(messageId, { messageId, sentAt, from: sender.username, to, hasAttachments })
  }
  return { steps, messages: [...messages.values()] }
}

const shownByDefault = 100

const shownOrder = (order: OrderRow) => ({
  orderNumber: order.order_number,
  status: order.status,
  buyerId: order.buyer_id,
  sellerId: order.seller_id,
  placedAt: order.placed_at,
  total: toMoney(order.total_cents, order.buyer_currency),
  next: nextSteps(order)
})

const changeOrder = <E>(
  orderNumber: string,
  change: (tx: Transaction, order: OrderRow) => Result.Result<OrderRow, E>
) => write((tx) => Result.flatMap(findOrder(tx, orderNumber), (order) => Result.map(change(tx, order), shownOrder)))

/** Returns an order with all its details. Fails with NOT_FOUND. */
export const orderDetail = Effect.fnUntraced(function* (orderNumber: string) {
  const { store } = yield* State
  const { now } = yield* MarketClock
  const order = yield* Effect.fromResult(findOrder(store, orderNumber))
  const known = yield* knownProducts(store, [orderNumber])
  const review = store.one<{ stars: number }>("select stars from reviews where order_number = :orderNumber", {
    orderNumber
  })
  return {
    ...shownOrder(order),
    sale: showSaleDetail(store, order, known),
    purchase: showPurchaseDetail(store, order, { known, now: now() }),
    ...orderStory(store, orderNumber),
    stars: review?.stars ?? null
  }
})

/** Returns the recipients of a message: the other side, or both for support. */
const chooseRecipients = (from: MessageRequest["from"]): ReadonlyArray<Side> => sides.filter((side) => side !== from)

/** Notifies the recipients of a message. Its text is nowhere in the API. Beyond the spec: section 14. */
const sendMessage = (tx: Transaction, order: OrderRow, { from, hasAttachments = false }: MessageRequest) => {
  const messageId = tx.newId()
  const { order_number: orderNumber } = order
  const scope = from === "support" ? "support" : "main"
  const sender = from === "support" ? "Support" : (findAccount(tx, accountOn(order, from))?.username ?? "")
  for (const yourRole of chooseRecipients(from)) {
    emit(tx, accountOn(order, yourRole), {
      type: "message.received",
      data: {
        threadId: `${orderNumber}.${scope === "main" ? "messages" : "support"}`,
        messageId,
        context: { type: "order", orderNumber, scope, yourRole },
        sender: { username: sender },
        sentAt: tx.at,
        hasAttachments
      }
    })
  }
  return { messageId }
}

export const orderControl = controlHandlers(orderRoutes, (handlers) =>
  handlers
    .handle("orders", ({ query }) =>
      Effect.map(orderPage({ limit: shownByDefault, ...query }), ({ nextCursor, orders }) => ({
        data: orders.map(shownOrder),
        nextCursor
      }))
    )
    .handle("order", ({ params: { orderNumber } }) => orderDetail(orderNumber))
    .handle("step", ({ params: { orderNumber }, payload }) =>
      changeOrder(orderNumber, (tx, order) => stepOrder(tx, order, payload))
    )
    .handle("scan", ({ params: { orderNumber }, payload }) =>
      changeOrder(orderNumber, (tx, order) => scanParcel(tx, order, payload))
    )
    .handle("message", ({ params: { orderNumber }, payload }) =>
      write((tx) => Result.map(findOrder(tx, orderNumber), (order) => sendMessage(tx, order, payload)))
    )
    .handle("review", ({ params: { orderNumber }, payload: { stars } }) =>
      write((tx) => Result.flatMap(findOrder(tx, orderNumber), (order) => reviewOrder(tx, order, stars)))
    )
)
