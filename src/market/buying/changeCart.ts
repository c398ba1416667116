import { Result } from "effect"
import type { AddToCart } from "../contract/buying/Cart.ts"
import { type BadRequest, NotFound } from "../../feed/contract/Errors.ts"
import { badRequest } from "../answers/badRequest.ts"
import type { Transaction } from "../state/State.ts"
import { type FreshCart, freshCart, putItem, removeItem } from "./cart.ts"
import { checkItem, type Refused } from "./checkItem.ts"
import { lineIdOf } from "./ListingRow.ts"

/** An item that did not get into the cart, by its place in the request. */
interface ItemRefused extends Refused {
  readonly index: number
  readonly listingId: string
}

const held = ({ entries }: FreshCart, lineId: string): number =>
  entries.find(({ row }) => row.id === lineId)?.quantity ?? 0

/** Adds to the cart. Another country switches the cart first, and drops items that are not shipped there. */
export const addToCart = (
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
export const changeCartItem = (
  tx: Transaction,
  accountId: string,
  { listingId, quantity }: { readonly listingId: string; readonly quantity: number }
): Result.Result<FreshCart, NotFound | BadRequest> => {
  const { country, entries } = freshCart(tx, accountId)
  const entry = entries.find(({ row }) => row.id === lineIdOf(listingId))
  if (entry === undefined || country === null) {
    const message = `The listing ${listingId} is not in the cart`
    return Result.fail(new NotFound({ code: "NOT_FOUND", status: 404, message, data: { listingId } }))
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

/** Removes an item; a missing one is fine. */
export const takeOutOfCart = (tx: Transaction, accountId: string, listingId: string): FreshCart => {
  removeItem(tx, accountId, lineIdOf(listingId))
  return freshCart(tx, accountId)
}
