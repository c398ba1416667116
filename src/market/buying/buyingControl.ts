import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ControlApi } from "../control/ControlApi.ts"
import { State } from "../state/State.ts"
import { checkout } from "./checkout.ts"
import { listedProducts } from "./listedProducts.ts"
import { setSelling } from "./setSelling.ts"

/** Pays carts and sets how a seller sells. */
export const buyingControl = HttpApiBuilder.group(ControlApi, "controlBuying", (handlers) =>
  handlers
    .handle(
      "checkout",
      Effect.fnUntraced(function* ({ payload }) {
        const { write } = yield* State
        const products = yield* listedProducts(
          payload.buyerId,
          (payload.items ?? []).map(({ listingId }) => listingId)
        )
        return yield* write((tx) =>
          Result.map(checkout(tx, payload, products), (orders) => ({
            orders: orders.map(({ order_number }) => order_number)
          }))
        )
      })
    )
    .handle("setSelling", ({ params: { accountId }, payload }) =>
      Effect.flatMap(State, ({ write }) => write((tx) => setSelling(tx, accountId, payload)))
    )
)
