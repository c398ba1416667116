import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../feed/contract/Authorization.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { answerOnce } from "../state/answerOnce.ts"
import { State } from "../state/State.ts"
import { cartOf, emptyCart, freshCart } from "./cart.ts"
import { listedProducts } from "./listedProducts.ts"
import { addToCart, changeCartItem, takeOutOfCart } from "./changeCart.ts"

/** The caller's cart. Beyond the spec: section 13. */
export const cartHandlers = HttpApiBuilder.group(MarketplaceApi, "cart", (handlers) =>
  handlers
    .handle(
      "cart",
      Effect.fnUntraced(function* () {
        const { accountId } = yield* Caller
        const { write } = yield* State
        const products = yield* listedProducts(accountId)
        return yield* write((tx) => Result.succeed(cartOf(freshCart(tx, accountId), products)))
      })
    )
    .handle(
      "emptyCart",
      Effect.fnUntraced(function* () {
        const { accountId } = yield* Caller
        return yield* answerOnce((tx) => Result.succeed(cartOf(emptyCart(tx, accountId), new Map())))
      })
    )
    .handle(
      "addItems",
      Effect.fnUntraced(function* ({ payload }) {
        const { accountId } = yield* Caller
        const products = yield* listedProducts(
          accountId,
          payload.items.map(({ listingId }) => listingId)
        )
        return yield* answerOnce((tx) => {
          const { cart, errors } = addToCart(tx, accountId, payload)
          return Result.succeed({ cart: cartOf(cart, products), errors })
        })
      })
    )
    .handle(
      "changeItem",
      Effect.fnUntraced(function* ({ params: { listingId }, payload: { quantity } }) {
        const { accountId } = yield* Caller
        const products = yield* listedProducts(accountId)
        return yield* answerOnce((tx) =>
          Result.map(changeCartItem(tx, accountId, { listingId, quantity }), (cart) => cartOf(cart, products))
        )
      })
    )
    .handle(
      "removeItem",
      Effect.fnUntraced(function* ({ params: { listingId } }) {
        const { accountId } = yield* Caller
        const products = yield* listedProducts(accountId)
        return yield* answerOnce((tx) => Result.succeed(cartOf(takeOutOfCart(tx, accountId, listingId), products)))
      })
    )
)
