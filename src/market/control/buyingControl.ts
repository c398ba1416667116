import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type BadRequest, NotFound } from "../../contract/Errors.ts"
import { findAccount, isSeller } from "../accounts/accountRows.ts"
import { badRequest } from "../answers/badRequest.ts"
import { checkout } from "../buying/checkout.ts"
import { listedProducts } from "../buying/listedProducts.ts"
import { NotASeller } from "../contract/account/AccountErrors.ts"
import { centsOf } from "../state/cents.ts"
import { State, type Transaction } from "../state/State.ts"
import type { Selling } from "./buyingRoutes.ts"
import { ControlApi } from "./ControlApi.ts"

/** Where a seller ships to and for how much, and to whom it does not sell. */
export const setSelling = (
  tx: Transaction,
  sellerId: string,
  { shipping, excludedBuyers }: Selling
): Result.Result<{ readonly set: true }, BadRequest | NotFound | NotASeller> => {
  const account = findAccount(tx, sellerId)
  if (account === undefined) {
    const message = `No account has the id ${sellerId}`
    return Result.fail(new NotFound({ code: "NOT_FOUND", status: 404, message, data: {} }))
  }
  if (!isSeller(account)) return Result.fail(new NotASeller({ message: "The account does not sell", data: {} }))
  if (shipping !== undefined) tx.run("delete from shipping_rates where seller_id = :sellerId", { sellerId })
  for (const [index, { country, amount, service }] of (shipping ?? []).entries()) {
    if (tx.one("select code from countries where code = :country", { country }) === undefined) {
      return Result.fail(badRequest(`shipping.${index}.country`, "no parcel goes there"))
    }
    tx.run("insert or replace into shipping_rates values (:sellerId, :country, :cents, :service)", {
      sellerId,
      country,
      cents: centsOf(amount),
      service
    })
  }
  if (excludedBuyers !== undefined) tx.run("delete from excluded_buyers where seller_id = :sellerId", { sellerId })
  for (const [index, buyerId] of (excludedBuyers ?? []).entries()) {
    if (findAccount(tx, buyerId) === undefined) {
      return Result.fail(badRequest(`excludedBuyers.${index}`, "no such account"))
    }
    tx.run("insert or ignore into excluded_buyers values (:sellerId, :buyerId)", { sellerId, buyerId })
  }
  return Result.succeed({ set: true })
}

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
