import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../contract/Authorization.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { State } from "../state/State.ts"
import { knownProducts } from "./knownProducts.ts"
import { orderPage } from "./orderPage.ts"
import { findOwnOrder } from "./OrderRow.ts"
import { purchaseDetailOf, purchaseOf } from "./purchaseView.ts"

/** Orders with the caller as the buyer. Spec: Purchase, PurchaseDetail. */
export const purchaseHandlers = HttpApiBuilder.group(MarketplaceApi, "purchases", (handlers) =>
  handlers
    .handle(
      "purchases",
      Effect.fnUntraced(function* ({ query }) {
        const { accountId } = yield* Caller
        const { store } = yield* State
        const { now } = yield* MarketClock
        const { shown, nextCursor } = yield* orderPage(store, { side: "buyer", accountId }, query)
        const known = yield* knownProducts(
          store,
          shown.map(({ order_number }) => order_number)
        )
        return {
          data: shown.map((order) => purchaseOf(store, order, { known, now: now() })),
          pagination: { nextCursor }
        }
      })
    )
    .handle(
      "purchase",
      Effect.fnUntraced(function* ({ params: { orderNumber } }) {
        const { accountId } = yield* Caller
        const { store } = yield* State
        const { now } = yield* MarketClock
        const known = yield* knownProducts(store, [orderNumber])
        const order = yield* Effect.fromResult(findOwnOrder(store, { side: "buyer", accountId }, orderNumber))
        return purchaseDetailOf(store, order, { known, now: now() })
      })
    )
)
