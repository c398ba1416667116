import { Effect, Result, Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { BadRequest, NotFound } from "../../feed/contract/Errors.ts"
import { findAccount, isSeller } from "../accounts/accounts.ts"
import { noSuch, badRequest } from "../answers/refusals.ts"
import { checkout, CheckoutRequest } from "../buying/checkout.ts"
import { listedProducts } from "../buying/ListingRow.ts"
import { NotASeller } from "../contract/account/accountOperations.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { Amount } from "../contract/Money.ts"
import { route } from "../contract/operationRows.ts"
import { Country } from "../contract/orders/orderParts.ts"
import { toCents, type Transaction, write } from "../state/State.ts"

/** A seller's settings. An absent list is unchanged. Default rates: tracked, everywhere in the region. */
export const Selling = Schema.Struct({
  shipping: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ country: Country, amount: Amount, service: Schema.Literals(["tracked", "untracked", "managed"]) })
    )
  ),
  excludedBuyers: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ title: "Selling" })
export type Selling = typeof Selling.Type

/** The web shop's checkout and a seller's settings, which have no API operation. Beyond the spec: section 13. */
export const buyingRoutes = HttpApiGroup.make("controlBuying").add(
  route(
    "POST",
    "checkout",
    "/sandbox/checkout",
    "Pay for a buyer's cart, or for the items given: one order per seller, all of them or none",
    {
      payload: CheckoutRequest,
      success: Schema.Struct({ orders: Schema.Array(Schema.String) }),
      error: [BadRequest, NotFound, Conflict]
    }
  ),
  route(
    "PUT",
    "setSelling",
    "/sandbox/accounts/:accountId/selling",
    "Where a seller ships to, for how much and how, and whom it excludes",
    { payload: Selling, success: Schema.Struct({ set: Schema.Literal(true) }), error: [BadRequest, NotASeller] }
  )
)

/** Sets a seller's shipping countries and rates, and the blocked buyers. */
export const setSelling = (
  tx: Transaction,
  sellerId: string,
  { shipping, excludedBuyers }: Selling
): Result.Result<{ readonly set: true }, BadRequest | NotFound | NotASeller> => {
  const account = findAccount(tx, sellerId)
  if (account === undefined) return Result.fail(noSuch("account", sellerId))
  if (!isSeller(account)) return Result.fail(new NotASeller({ message: "The account does not sell", data: {} }))
  if (shipping !== undefined) tx.run("delete from shipping_rates where seller_id = :sellerId", { sellerId })
  for (const [index, { country, amount, service }] of (shipping ?? []).entries()) {
    if (tx.one("select code from countries where code = :country", { country }) === undefined) {
      return Result.fail(badRequest(`shipping.${index}.country`, "no parcel goes there"))
    }
    tx.run("insert or replace into shipping_rates values (:sellerId, :country, :cents, :service)", {
      sellerId,
      country,
      cents: toCents(amount),
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

export const buyingControl = controlHandlers(buyingRoutes, (handlers) =>
  handlers
    .handle(
      "checkout",
      Effect.fnUntraced(function* ({ payload }) {
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
    .handle("setSelling", ({ params: { accountId }, payload }) => write((tx) => setSelling(tx, accountId, payload)))
)
