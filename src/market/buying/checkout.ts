import { Result, Schema } from "effect"
import { AddToCart } from "../contract/buying/cartOperations.ts"
import type { BadRequest } from "../../feed/contract/Errors.ts"
import { badRequest } from "../answers/refusals.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import { ShippingAddress } from "../contract/orders/orderParts.ts"
import { type AccountRow, accountIn } from "../accounts/accounts.ts"
import type { Region } from "../orders/orderMoney.ts"
import { placeOrder } from "../orders/placeOrder.ts"
import type { Transaction } from "../state/State.ts"
import {
  bySeller,
  type CartEntry,
  emptyCart,
  freshCart,
  findName,
  type Products,
  type Buyer,
  checkItem
} from "./cart.ts"

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
