import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../contract/Authorization.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { BadGateway } from "../contract/orders/OrderErrors.ts"
import { centsOf } from "../state/cents.ts"
import { answerOnce, type Problem } from "../state/answerOnce.ts"
import { State, type Transaction } from "../state/State.ts"
import { cancelOrder } from "./cancelOrder.ts"
import { knownProducts } from "./knownProducts.ts"
import { PaymentsFail } from "./PaymentsFail.ts"
import { metadataFilter } from "./metadataFilter.ts"
import { orderPage } from "./orderPage.ts"
import { findOwnOrder, type OrderRow } from "./OrderRow.ts"
import { invalidStatus, refundOrder } from "./refundOrder.ts"
import { saleDetailOf, saleOf } from "./saleView.ts"
import { mergeMetadata, saveMetadata } from "./metadata.ts"
import { shipOrder } from "./shipOrder.ts"

/** A write to one of the caller's sales, answered with the sale as it is then. */
const changeSale = Effect.fnUntraced(function* <E extends Problem>(
  orderNumber: string,
  change: (tx: Transaction, order: OrderRow) => Result.Result<OrderRow, E>
) {
  const { accountId } = yield* Caller
  const { store } = yield* State
  const known = yield* knownProducts(store, [orderNumber])
  return yield* answerOnce((tx) =>
    Result.flatMap(findOwnOrder(tx, { side: "seller", accountId }, orderNumber), (order) =>
      Result.map(change(tx, order), (changed) => saleDetailOf(tx, changed, known))
    )
  )
})

const noPayments = () =>
  new BadGateway({ message: "The payment service does not answer; nothing was refunded. Ask again", data: {} })

/** Orders with the caller as the seller. Spec: Sale; beyond the spec: section 12. */
export const saleHandlers = HttpApiBuilder.group(MarketplaceApi, "sales", (handlers) =>
  handlers
    .handle(
      "sales",
      Effect.fnUntraced(function* ({ query }) {
        const { accountId } = yield* Caller
        const { store } = yield* State
        const asked = { side: "seller", accountId } as const
        const { shown, nextCursor } = yield* orderPage(store, asked, { ...query, metadata: yield* metadataFilter })
        const known = yield* knownProducts(
          store,
          shown.map(({ order_number }) => order_number)
        )
        return { data: shown.map((order) => saleOf(store, order, known)), pagination: { nextCursor } }
      })
    )
    .handle(
      "sale",
      Effect.fnUntraced(function* ({ params: { orderNumber } }) {
        const { accountId } = yield* Caller
        const { store } = yield* State
        const known = yield* knownProducts(store, [orderNumber])
        const order = yield* Effect.fromResult(findOwnOrder(store, { side: "seller", accountId }, orderNumber))
        return saleDetailOf(store, order, known)
      })
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
        const paymentsFail = yield* PaymentsFail
        return yield* changeSale(orderNumber, (tx, order) =>
          Result.filterOrFail(refundOrder(tx, order, centsOf(amount)), () => !paymentsFail, noPayments)
        )
      })
    )
    .handle("changeMetadata", ({ params: { orderNumber }, payload: { metadata } }) =>
      changeSale(orderNumber, (tx, order) =>
        Result.map(mergeMetadata(order, metadata), (merged) => saveMetadata(tx, order, merged))
      )
    )
)
