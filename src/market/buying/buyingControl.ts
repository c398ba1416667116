import { Result, Schema, Effect } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { AddToCart } from "../contract/buying/cartOperations.ts"
import { BadRequest, NotFound } from "../../feed/contract/Errors.ts"
import { badRequest, noSuch } from "../answers/refusals.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { type MarketCurrency, Amount } from "../contract/Money.ts"
import { ShippingAddress, Country } from "../contract/orders/orderParts.ts"
import { type AccountRow, accountIn, findAccount, isSeller } from "../accounts/accounts.ts"
import { type Region, placeOrder } from "../orders/placeOrder.ts"
import { type Transaction, toCents, write } from "../state/State.ts"
import {
  bySeller,
  type CartEntry,
  emptyCart,
  freshCart,
  findName,
  type Products,
  type Buyer,
  checkItem,
  listedProducts
} from "./cart.ts"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { NotASeller } from "../contract/account/accountOperations.ts"
import { route } from "../contract/operationRows.ts"

/** Items to pay for. With `items`, the cart does not change. */
export const CheckoutRequest = Schema.Struct({
  buyerId: Schema.String,
  /** Listings to pay for. Default: the buyer's cart. */
  items: Schema.optionalKey(AddToCart.fields.items),
  address: Schema.optionalKey(ShippingAddress),
  isInsured: Schema.optionalKey(Schema.Boolean)
}).annotate({ title: "CheckoutRequest" })
type Checkout = typeof CheckoutRequest.Type

const makeAddress = ({ username }: AccountRow, countryCode: string): ShippingAddress => ({
  recipientName: username,
  line1: "1 Market Street",
  line2: null,
  city: "Cardville",
  state: null,
  postalCode: "10000",
  countryCode,
  phone: null
})

const listed = (
  tx: Transaction,
  { country, id: buyerId }: Omit<Buyer, "region">,
  items: NonNullable<Checkout["items"]>
): Result.Result<ReadonlyArray<CartEntry>, BadRequest> =>
  Result.gen(function* () {
    const entries = new Map<string, CartEntry>()
    let region: Region | undefined
    for (const [index, { listingId, quantity }] of items.entries()) {
      const wanted = (entries.get(listingId)?.quantity ?? 0) + quantity
      const row = yield* Result.mapError(
        checkItem(tx, { id: buyerId, country, region }, { listingId, quantity: wanted }),
        ({ code }) => badRequest(`items.${index}`, code)
      )
      region = row.region
      entries.set(listingId, { row, quantity: wanted, addedAt: tx.at })
    }
    return [...entries.values()]
  })

/** Returns the chosen items and address, which must be in the cart's country. */
const chosen = (tx: Transaction, buyer: AccountRow, { items, address }: Checkout) =>
  Result.gen(function* () {
    if (items !== undefined) {
      const to = address ?? makeAddress(buyer, buyer.country ?? "DE")
      return { entries: yield* listed(tx, { id: buyer.id, country: to.countryCode }, items), address: to }
    }
    const { country, entries } = freshCart(tx, buyer.id)
    if (country === null) {
      return yield* Result.fail(new Conflict({ message: "The cart is empty; add items to it first", data: {} }))
    }
    if (address !== undefined && address.countryCode !== country) {
      return yield* Result.fail(badRequest("address.countryCode", `the cart goes to ${country}`))
    }
    return { entries, address: address ?? makeAddress(buyer, country) }
  })

interface CountryRow {
  readonly region: Region
  readonly currency: MarketCurrency
}

/**
 * Pays for the items: one order per seller, all or none. On the real service this is in the web shop, not in the API.
 * Beyond the spec: section 13.
 */
export const checkout = (tx: Transaction, wanted: Checkout, products: Products) =>
  Result.gen(function* () {
    const buyer = yield* accountIn(tx, wanted.buyerId)
    const { entries, address } = yield* chosen(tx, buyer, wanted)
    const where = tx.one<CountryRow>("select * from countries where code = :code", { code: address.countryCode })
    if (where === undefined) return yield* Result.fail(badRequest("address.countryCode", "no parcel goes there"))
    const orders = bySeller(entries).map(({ seller, items }) =>
      placeOrder(tx, {
        buyerId: buyer.id,
        sellerId: seller.account_id,
        items: items.map(({ row, quantity }) => {
          const { name, imageUrl } = findName(products, row)
          return { line: row, quantity, unitCents: row.price_cents, productName: name, imageUrl }
        }),
        shippingCents: seller.shipping_cents ?? 0,
        service: seller.shipping_service ?? "tracked",
        isInsured: wanted.isInsured ?? false,
        sellerCurrency: seller.currency,
        buyerCurrency: where.currency,
        region: where.region,
        address
      })
    )
    if (wanted.items === undefined) emptyCart(tx, buyer.id)
    return orders
  })

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
