import { Effect, Result } from "effect"
import type { OrderStatus } from "../contract/orders/OrderStatus.ts"
import { checkout } from "../buying/checkout.ts"
import { listedProducts } from "../buying/listedProducts.ts"
import { listingIdOf } from "../buying/ListingRow.ts"
import { nextSteps } from "../orders/moveOrder.ts"
import type { OrderRow } from "../orders/OrderRow.ts"
import { reviewOrder } from "../orders/reviewOrder.ts"
import { shipOrder } from "../orders/shipOrder.ts"
import { stepOrder } from "../orders/stepOrder.ts"
import { State, type Transaction } from "../state/State.ts"
import type { Drawn } from "./drawn.ts"

interface OfferRow {
  readonly id: string
  readonly account_id: string
  readonly quantity: number
}

const offers = `
select line.id, line.account_id, line.quantity
from inventory_lines line
join accounts buyer on buyer.id = :buyerId
join shipping_offers offer on offer.seller_id = line.account_id and offer.country = buyer.country
where line.price_cents is not null and line.quantity > 0
order by line.id`

const maxSteps = 5

const stepTo = (
  tx: Transaction,
  order: OrderRow,
  to: OrderStatus
): Result.Result<OrderRow, { readonly code: string }> =>
  to === "shipped"
    ? shipOrder(tx, order, { trackingNumber: `PARCEL-${order.number}` })
    : stepOrder(tx, order, { to, amount: 0.1 })

/** Moves an order some steps on, usually the common one; it stays if a step is refused. */
const moveOn = Effect.fnUntraced(function* (drawn: Drawn, placed: OrderRow) {
  const { write } = yield* State
  let order = placed
  for (let left = drawn.below(maxSteps); left > 0; left--) {
    const next = nextSteps(order)
    const to = drawn.below(10) < 7 ? next[0] : drawn.of(next)
    if (to === undefined) break
    const from = order
    const moved = yield* Effect.result(write((tx) => stepTo(tx, from, to)))
    if (Result.isFailure(moved)) break
    order = moved.success
  }
  return order
})

/** Every other parcel that arrives is rated, with three to five stars. */
const rate = Effect.fnUntraced(function* (order: OrderRow) {
  if (order.number % 2 === 1) return
  const { write } = yield* State
  yield* Effect.ignore(write((tx) => reviewOrder(tx, order, 3 + (order.number % 3))))
})

/** Lets a buyer buy one to three listings of a seller who ships there. Nothing happens if nobody does. */
const fillOrder = Effect.fnUntraced(function* (drawn: Drawn, buyerId: string) {
  const { store, write } = yield* State
  const found = store.all<OfferRow>(offers, { buyerId })
  const first = drawn.of(found)
  if (first === undefined) return
  const ofSeller = found.filter((offer) => offer.account_id === first.account_id)
  const chosen = new Map(
    [first, ...Array.from({ length: drawn.below(3) }, () => drawn.of(ofSeller) ?? first)].map((offer) => [
      offer.id,
      offer
    ])
  )
  const items = [...chosen.values()].map(({ id, quantity }) => ({
    listingId: listingIdOf(id),
    quantity: 1 + drawn.below(Math.min(2, quantity))
  }))
  const products = yield* listedProducts(
    buyerId,
    items.map(({ listingId }) => listingId)
  )
  const orders = yield* Effect.orDie(write((tx) => checkout(tx, { buyerId, items }, products)))
  yield* Effect.forEach(orders, (order) => Effect.flatMap(moveOn(drawn, order), rate), { discard: true })
})

/** This many orders, in every state. */
export const fillOrders = Effect.fnUntraced(function* (drawn: Drawn, buyers: ReadonlyArray<string>, orders: number) {
  for (let number = 0; number < orders; number++) {
    const buyerId = drawn.of(buyers)
    if (buyerId !== undefined) yield* fillOrder(drawn, buyerId)
  }
})
