import { Effect, Result, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { Metadata } from "../contract/orders/Order.ts"
import { cursorPage } from "../answers/cursorPage.ts"
import { pageLimits } from "../../feed/contract/Paging.ts"
import { badRequest } from "../answers/refusals.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { BadGateway, type orderQuery } from "../contract/orders/orderOperations.ts"
import { answerOnce, readCallerState, type Problem } from "../state/answerOnce.ts"
import { toCents, type Transaction } from "../state/State.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { invalidStatus, findOwnOrder, type OrderRow, type Side } from "./OrderRow.ts"
import { mergeMetadata, shipOrder } from "./stepOrder.ts"
import { knownProducts, showPurchaseDetail, showPurchase, showSaleDetail, showSale } from "./orderViews.ts"
import { cancelOrder, PaymentsFail, refundOrder } from "./refundOrder.ts"

/** Filters of an order list; for sales, also metadata pairs. */
type OrderQuery = Schema.Struct<typeof orderQuery>["Type"] & {
  readonly metadata?: ReadonlyArray<readonly [key: string, value: string]>
}

const formatCursor = (side: Side, number: number): string => Buffer.from(`${side}:${number}`).toString("base64url")

const numberOfCursor = (side: Side, cursor: string): number | undefined => {
  const [, number] = new RegExp(`^${side}:(\\d{1,15})$`).exec(Buffer.from(cursor, "base64url").toString()) ?? []
  return number === undefined ? undefined : Number(number)
}

const buildConditions = (query: OrderQuery, metadata: ReadonlyArray<readonly [key: string, value: string]>) => {
  const conditions: Array<string> = []
  const values: Record<string, string> = {}
  const add = (condition: string, named: Record<string, string>) => {
    conditions.push(` and ${condition}`)
    Object.assign(values, named)
  }
  const { placedFrom, placedTo, status } = query
  if (status !== undefined) {
    add("status in (select value from json_each(:statuses))", { statuses: JSON.stringify(status) })
  }
  if (placedFrom !== undefined) add("placed_at >= :placedFrom", { placedFrom: new Date(placedFrom).toISOString() })
  if (placedTo !== undefined) add("placed_at <= :placedTo", { placedTo: new Date(placedTo).toISOString() })
  for (const [at, [key, value]] of metadata.entries()) {
    add(`exists (select 1 from json_each(metadata) pair where pair.key = :key${at} and pair.value = :value${at})`, {
      [`key${at}`]: key,
      [`value${at}`]: value
    })
  }
  return { sql: conditions.join(""), values }
}

/**
 * Returns a page of the caller's orders on a side, newest first. Order numbers never change, so that a sweep neither
 * repeats nor skips orders. Fails with 400 for an invalid cursor. Spec: cursor pagination; beyond the spec: section 12.
 */
const ownOrders = Effect.fnUntraced(function* (side: Side, { metadata = [], ...query }: OrderQuery) {
  const { accountId, store } = yield* readCallerState
  const limit = query.limit ?? pageLimits.cursor.default
  const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : numberOfCursor(side, query.cursor)
  if (before === undefined) return yield* badRequest("cursor", "is not a cursor of this list")
  const { sql, values } = buildConditions(query, metadata)
  const rows = store.all<OrderRow>(
    `select * from orders where ${side}_id = :accountId and number < :before${sql} order by number desc limit :rows`,
    { ...values, accountId, before, rows: limit + 1 }
  )
  const { next: nextCursor, shown: orders } = cursorPage(rows, limit, ({ number }) => formatCursor(side, number))
  const numbers = orders.map(({ order_number }) => order_number)
  return { store, orders, known: yield* knownProducts(store, numbers), pagination: { nextCursor } }
})

/** Returns one of the caller's orders on a side. */
const ownOrder = Effect.fnUntraced(function* (side: Side, orderNumber: string) {
  const { accountId, store } = yield* readCallerState
  const known = yield* knownProducts(store, [orderNumber])
  const order = yield* Effect.fromResult(findOwnOrder(store, { side, accountId }, orderNumber))
  return { store, order, known }
})

const maxPairs = 10

const Pairs = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))

/**
 * Returns up to ten pairs of `metadata[key]=value` in a query. Some generated clients send `metadata={"key":"value"}`;
 * any other form would be ignored and find every sale, so it is refused. Beyond the spec: sections 1 and 12.
 */
const metadataFilter = Effect.gen(function* () {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")
  const text = query.get("metadata")
  const whole =
    text === null
      ? {}
      : yield* Effect.mapError(Schema.decodeUnknownEffect(Pairs)(text), () =>
          badRequest("metadata", "is written as metadata[key]=value")
        )
  const pairs = [...query]
    .flatMap(([name, value]) => {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, value] as const]
    })
    .concat(Object.entries(whole))
  return pairs.length > maxPairs ? yield* badRequest("metadata", `more than ${maxPairs} pairs`) : pairs
})

/** Stores a seller's metadata. `updatedAt` is unchanged, because the buyer must not notice. */
export const saveMetadata = (tx: Transaction, order: OrderRow, metadata: Metadata): OrderRow => {
  const after = { ...order, metadata: JSON.stringify(metadata) }
  tx.run("update orders set metadata = :metadata where number = :number", {
    metadata: after.metadata,
    number: order.number
  })
  return after
}

/** Changes one of the caller's sales and answers with the updated sale. */
const changeSale = Effect.fnUntraced(function* <E extends Problem>(
  orderNumber: string,
  change: (tx: Transaction, order: OrderRow) => Result.Result<OrderRow, E>
) {
  const { store } = yield* readCallerState
  const known = yield* knownProducts(store, [orderNumber])
  return yield* answerOnce((tx, accountId) =>
    Result.flatMap(findOwnOrder(tx, { side: "seller", accountId }, orderNumber), (order) =>
      Result.map(change(tx, order), (changed) => showSaleDetail(tx, changed, known))
    )
  )
})

const noPayments = () =>
  new BadGateway({ message: "The payment service does not answer; nothing was refunded. Ask again", data: {} })

/** Handlers of the caller's sales. Spec: Sale; beyond the spec: section 12. */
export const saleHandlers = HttpApiBuilder.group(MarketplaceApi, "sales", (handlers) =>
  handlers
    .handle(
      "sales",
      Effect.fnUntraced(function* ({ query }) {
        const filter = { ...query, metadata: yield* metadataFilter }
        const { known, orders, pagination, store } = yield* ownOrders("seller", filter)
        return { data: orders.map((order) => showSale(store, order, known)), pagination }
      })
    )
    .handle("sale", ({ params: { orderNumber } }) =>
      Effect.map(ownOrder("seller", orderNumber), ({ known, order, store }) => showSaleDetail(store, order, known))
    )
    .handle("markShipped", ({ params: { orderNumber }, payload }) =>
      changeSale(orderNumber, (tx, order) => shipOrder(tx, order, payload))
    )
    .handle("cancelSale", ({ params: { orderNumber }, payload: { reason, reasonText } }) =>
      changeSale(orderNumber, (tx, order) =>
        Result.mapError(cancelOrder(tx, order, { to: "cancelled_seller", reason, reasonText }), () =>
          invalidStatus(order.status)
        )
      )
    )
    .handle(
      "refundSale",
      Effect.fnUntraced(function* ({ params: { orderNumber }, payload: { amount } }) {
        const paymentsFail = yield* PaymentsFail.ask
        return yield* changeSale(orderNumber, (tx, order) =>
          Result.filterOrFail(refundOrder(tx, order, toCents(amount)), () => !paymentsFail, noPayments)
        )
      })
    )
    .handle("changeMetadata", ({ params: { orderNumber }, payload: { metadata } }) =>
      changeSale(orderNumber, (tx, order) =>
        Result.map(mergeMetadata(order, metadata), (merged) => saveMetadata(tx, order, merged))
      )
    )
)

/** Handlers of the caller's purchases. Spec: Purchase, PurchaseDetail. */
export const purchaseHandlers = HttpApiBuilder.group(MarketplaceApi, "purchases", (handlers) =>
  handlers
    .handle(
      "purchases",
      Effect.fnUntraced(function* ({ query }) {
        const { now } = yield* MarketClock
        const { known, orders, pagination, store } = yield* ownOrders("buyer", query)
        return { data: orders.map((order) => showPurchase(store, order, { known, now: now() })), pagination }
      })
    )
    .handle(
      "purchase",
      Effect.fnUntraced(function* ({ params: { orderNumber } }) {
        const { now } = yield* MarketClock
        const { known, order, store } = yield* ownOrder("buyer", orderNumber)
        return showPurchaseDetail(store, order, { known, now: now() })
      })
    )
)
