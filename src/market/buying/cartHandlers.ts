import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listingIdOf, readGraded, lineIdOf } from "../inventory/LineRow.ts"
import { toMoney, commit, type Transaction } from "../state/State.ts"
import type { Cart, AddToCart } from "../contract/buying/cartOperations.ts"
import {
  bySeller,
  findName,
  type CartEntry,
  readPrice,
  showSeller,
  emptyCart,
  freshCart,
  type FreshCart,
  type Products,
  putItem,
  removeItem,
  checkItem,
  type Refused,
  listedProducts
} from "./cart.ts"
import { Caller } from "../../feed/contract/Authorization.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { answerOnce, type Problem } from "../state/answerOnce.ts"
import type { BadRequest, NotFound } from "../../feed/contract/Errors.ts"
import { badRequest, missing } from "../answers/refusals.ts"

/** An item that was not added to the cart, by its index in the request. */
interface ItemRefused extends Refused {
  readonly index: number
  readonly listingId: string
}

const held = ({ entries }: FreshCart, lineId: string): number =>
  entries.find(({ row }) => row.id === lineId)?.quantity ?? 0

/** Adds items to the cart. Another country is set first, which removes items that are not shipped there. */
const addToCart = (
  tx: Transaction,
  accountId: string,
  { deliveryCountry: country, items }: typeof AddToCart.Type
): { readonly cart: FreshCart; readonly errors: ReadonlyArray<ItemRefused> } => {
  tx.run("insert into carts values (:accountId, :country) on conflict do update set delivery_country = :country", {
    accountId,
    country
  })
  const before = freshCart(tx, accountId)
  tx.run("insert into carts values (:accountId, :country) on conflict do nothing", { accountId, country })
  const errors: Array<ItemRefused> = []
  const quantities = new Map<string, number>()
  let region = before.entries[0]?.row.region
  for (const [index, { listingId, quantity }] of items.entries()) {
    const lineId = lineIdOf(listingId)
    const wanted = (quantities.get(lineId) ?? held(before, lineId)) + quantity
    const checked = checkItem(tx, { id: accountId, country, region }, { listingId, quantity: wanted })
    if (Result.isFailure(checked)) {
      errors.push({ index, listingId, ...checked.failure })
      continue
    }
    region = checked.success.region
    quantities.set(lineId, wanted)
    putItem(tx, accountId, { row: checked.success, quantity: wanted })
  }
  return { cart: freshCart(tx, accountId), errors }
}

/** Replaces the quantity of an item; 0 removes it. */
const changeCartItem = (
  tx: Transaction,
  accountId: string,
  { listingId, quantity }: { readonly listingId: string; readonly quantity: number }
): Result.Result<FreshCart, NotFound | BadRequest> => {
  const { country, entries } = freshCart(tx, accountId)
  const entry = entries.find(({ row }) => row.id === lineIdOf(listingId))
  if (entry === undefined || country === null) {
    return Result.fail(missing(`The listing ${listingId} is not in the cart`, { listingId }))
  }
  if (quantity === 0) removeItem(tx, accountId, entry.row.id)
  else {
    const checked = checkItem(tx, { id: accountId, country, region: undefined }, { listingId, quantity })
    if (Result.isFailure(checked)) {
      const { max, available } = checked.failure.data
      return Result.fail(badRequest("quantity", `${checked.failure.code}: at most ${String(max ?? available)}`))
    }
    putItem(tx, accountId, { row: checked.success, quantity })
  }
  return Result.succeed(freshCart(tx, accountId))
}

const showEntry = ({ row, quantity, addedAt }: CartEntry, products: Products) => {
  const { name, imageUrl } = findName(products, row)
  return {
    listingId: listingIdOf(row.id),
    productId: row.product_id,
    productName: name,
    imageUrl,
    condition: row.condition,
    language: row.language,
    finish: row.finish,
    graded: readGraded(row),
    quantity,
    unitPrice: readPrice(row),
    lineTotal: toMoney(row.price_cents * quantity, row.currency),
    addedAt
  }
}

/** Returns a cart as the API shows it. Beyond the spec: section 13. */
export const showCart = ({ country, entries }: FreshCart, products: Products): Cart => ({
  deliveryCountry: country,
  itemCount: entries.reduce((sum, { quantity }) => sum + quantity, 0),
  sellers: bySeller(entries).map(({ seller, items }) => ({
    seller: showSeller(seller),
    itemsSubtotal: toMoney(
      items.reduce((sum, { row, quantity }) => sum + row.price_cents * quantity, 0),
      seller.currency
    ),
    items: items.map((entry) => showEntry(entry, products))
  }))
})

/** Removes an item. A missing item is no error. */
const takeOutOfCart = (tx: Transaction, accountId: string, listingId: string): FreshCart => {
  removeItem(tx, accountId, lineIdOf(listingId))
  return freshCart(tx, accountId)
}

/** Changes the caller's cart. The answer needs the products of the cart and of `listingIds`. */
const cartWrite = Effect.fnUntraced(function* <A, E extends Problem = never>(
  change: (tx: Transaction, accountId: string, products: Products) => Result.Result<A, E>,
  listingIds?: ReadonlyArray<string>
) {
  const products = yield* listedProducts((yield* Caller).accountId, listingIds)
  return yield* answerOnce((tx, accountId) => change(tx, accountId, products))
})

/** Handlers of the caller's cart. Beyond the spec: section 13. */
export const cartHandlers = HttpApiBuilder.group(MarketplaceApi, "cart", (handlers) =>
  handlers
    .handle(
      "cart",
      Effect.fnUntraced(function* () {
        const { accountId } = yield* Caller
        const products = yield* listedProducts(accountId)
        return yield* commit((tx) => showCart(freshCart(tx, accountId), products))
      })
    )
    .handle("emptyCart", () =>
      answerOnce((tx, accountId) => Result.succeed(showCart(emptyCart(tx, accountId), new Map())))
    )
    .handle("addItems", ({ payload }) =>
      cartWrite(
        (tx, accountId, products) => {
          const { cart, errors } = addToCart(tx, accountId, payload)
          return Result.succeed({ cart: showCart(cart, products), errors })
        },
        payload.items.map(({ listingId }) => listingId)
      )
    )
    .handle("changeItem", ({ params: { listingId }, payload: { quantity } }) =>
      cartWrite((tx, accountId, products) =>
        Result.map(changeCartItem(tx, accountId, { listingId, quantity }), (cart) => showCart(cart, products))
      )
    )
    .handle("removeItem", ({ params: { listingId } }) =>
      cartWrite((tx, accountId, products) =>
        Result.succeed(showCart(takeOutOfCart(tx, accountId, listingId), products))
      )
    )
)
