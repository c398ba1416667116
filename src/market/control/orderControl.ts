import { cursorPage } from "../answers/cursorPage.ts"
import { Effect, Result } from "effect"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { findAccount } from "../accounts/accounts.ts"
import { type ControlOrderDetail, type MessageRequest, orderRoutes } from "./orderRoutes.ts"
import { emit } from "../events/emit.ts"
import { toMoney, State, type Transaction, write, type Store } from "../state/State.ts"
import { nextSteps } from "../orders/moveOrder.ts"
import { accountOn, findOrder, type OrderRow, type Side, sides } from "../orders/OrderRow.ts"
import { reviewOrder, type Step, stepOrder } from "../orders/stepOrder.ts"
import { knownProducts, showPurchaseDetail, showSaleDetail } from "../orders/orderViews.ts"
import { scanParcel, shipOrder } from "../orders/shipOrder.ts"
import { MarketClock } from "../state/MarketClock.ts"
import type { MarketEvent } from "../contract/events/MarketEvent.ts"
import { badRequest } from "../answers/refusals.ts"
import type { OrderStatus } from "../contract/orders/orderParts.ts"

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

type ResultError<F extends (...values: never) => Result.Result<unknown, unknown>> = Result.Result.Failure<ReturnType<F>>
type StepError = ResultError<typeof shipOrder> | ResultError<typeof stepOrder>

/** Applies a step. With a tracking number, the seller ships the order. */
const takeStep = (tx: Transaction, order: OrderRow, step: Step): Result.Result<OrderRow, StepError> =>
  step.to === "shipped" && step.trackingNumber !== undefined
    ? shipOrder(tx, order, { trackingNumber: step.trackingNumber })
    : stepOrder(tx, order, step)

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
      changeOrder(orderNumber, (tx, order) => takeStep(tx, order, payload))
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
