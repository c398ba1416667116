import { Effect, Result } from "effect"
import { checkout } from "../buying/buyingControl.ts"
import { listedProducts } from "../buying/cart.ts"
import { listingIdOf } from "../inventory/LineRow.ts"
import { findOrder } from "../orders/OrderRow.ts"
import { doDue, nextDue } from "../orders/stepOrder.ts"
import { atInstant, State, type Store } from "../state/State.ts"
import type { Drawn } from "../catalogue/seededNumber.ts"
import type { Traders } from "./fillStock.ts"
import { type Journey, makeJourneyChoice } from "./journeys.ts"

interface OfferRow {
  readonly id: string
  readonly quantity: number
}

const selectOffers = `
select line.id, line.quantity
from inventory_lines line
join accounts buyer on buyer.id = :buyerId
join accounts seller on seller.id = line.account_id and seller.seller_status = 'active' and seller.seller_stage = 'live'
join shipping_offers offer on offer.seller_id = line.account_id and offer.country = buyer.country
where line.price_cents is not null and line.quantity > 0 and line.account_id = :sellerId
order by line.id`

/** Returns a seller's lines that a buyer can buy. */
export const offersTo = (store: Store, buyerId: string, sellerId: string): ReadonlyArray<OfferRow> =>
  store.all<OfferRow>(selectOffers, { buyerId, sellerId })

const selectSellers = `
select seller.id from accounts seller
join accounts buyer on buyer.id = :buyerId
join shipping_offers offer on offer.seller_id = seller.id and offer.country = buyer.country
where seller.id in (select value from json_each(:sellers)) order by seller.id`

/** Returns the sellers that ship to a buyer. */
const sellersTo = (store: Store, buyerId: string, { sellers }: Traders): ReadonlyArray<string> =>
  store
    .all<{ id: string }>(selectSellers, { buyerId, sellers: JSON.stringify(sellers.map(({ id }) => id)) })
    .map(({ id }) => id)

const hourMillis = 3_600_000
/** Days over which orders are spread, increasingly dense. */
export const filledDays = 90

/** An order to place. Its number is undefined before. */
interface PendingOrder {
  orderNumber: string | undefined
}

/** An event at an instant. */
interface TimedEvent {
  readonly atMillis: number
  readonly run: Effect.Effect<void, never, State | Effect.Services<ReturnType<typeof listedProducts>>>
}

/** Orders one to three listings of a seller who ships to the buyer. Does nothing if there is no such seller. */
const place = Effect.fnUntraced(function* (
  drawn: Drawn,
  {
    atMillis,
    buyerId,
    sellers
  }: { readonly atMillis: number; readonly buyerId: string; readonly sellers: ReadonlyArray<string> },
  placed: PendingOrder
) {
  const { store, write } = yield* State
  const first = drawn.below(Math.max(1, sellers.length))
  let found: ReadonlyArray<OfferRow> = []
  // If a seller is sold out, the buyer goes to the next one.
  for (const sellerId of [...sellers.slice(first), ...sellers.slice(0, first)]) {
    found = offersTo(store, buyerId, sellerId)
    if (found.length > 0) break
  }
  const chosen = new Map(
    Array.from({ length: 1 + drawn.below(3) }, () => drawn.of(found)).flatMap((offer) =>
      offer === undefined ? [] : [[offer.id, offer]]
    )
  )
  if (chosen.size === 0) return
  const items = [...chosen.values()].map(({ id, quantity }) => ({
    listingId: listingIdOf(id),
    quantity: 1 + drawn.below(Math.min(2, quantity))
  }))
  const products = yield* listedProducts(
    buyerId,
    items.map(({ listingId }) => listingId)
  )
  const [order] = yield* Effect.orDie(write((tx) => checkout(atInstant(tx, atMillis), { buyerId, items }, products)))
  placed.orderNumber = order?.order_number
})

/** Runs automatic steps up to an instant, each at its own time. */
const settleUntil = Effect.fnUntraced(function* (untilMillis: number) {
  const { store, write } = yield* State
  for (let due = nextDue(store); due !== undefined && due <= untilMillis; due = nextDue(store)) {
    const at = due
    yield* write((tx) => doDue(atInstant(tx, at)))
  }
})

const follow = ({ deeds }: Journey, placed: PendingOrder, placedMillis: number): ReadonlyArray<TimedEvent> =>
  deeds.map(([hours, deed]) => {
    const atMillis = placedMillis + hours * hourMillis
    const run = Effect.flatMap(State, ({ write }) =>
      Effect.ignore(
        write((tx) => {
          const found = findOrder(tx, placed.orderNumber ?? "")
          return Result.flatMap(found, (order) => deed(atInstant(tx, atMillis), order))
        })
      )
    )
    return { atMillis, run }
  })

/** Maximum number of orders between the first seller and the first buyer, enough for every state. */
const maxBetweenFirst = 24

/** Creates this many orders up to `nowMillis`, in every state and with their complete history. */
export const fillOrders = Effect.fnUntraced(function* (
  drawn: Drawn,
  traders: Traders,
  { nowMillis, orders }: { readonly orders: number; readonly nowMillis: number }
) {
  const { store } = yield* State
  const { buyers, sellers } = traders
  const sellersByBuyer = new Map(buyers.map((buyerId) => [buyerId, sellersTo(store, buyerId, traders)]))
  const ofFirst = makeJourneyChoice()
  const ofOthers = makeJourneyChoice()
  const every = Math.max(2, Math.ceil(orders / maxBetweenFirst))
  const happenings: Array<TimedEvent> = []
  for (let number = 0; number < orders; number++) {
    const isOfFirst = number % every === 0
    const ageHours = filledDays * 24 * ((orders - number - 0.5) / orders) ** 2
    const journey = (isOfFirst ? ofFirst : ofOthers)(ageHours)
    const buyerId = isOfFirst ? buyers[0] : drawn.of(buyers)
    if (journey === undefined || buyerId === undefined) continue
    const placed: PendingOrder = { orderNumber: undefined }
    const atMillis = Math.round(nowMillis - ageHours * hourMillis)
    const chosen = isOfFirst ? sellers.slice(0, 1).map(({ id }) => id) : (sellersByBuyer.get(buyerId) ?? [])
    happenings.push({ atMillis, run: place(drawn, { atMillis, buyerId, sellers: chosen }, placed) })
    happenings.push(...follow(journey, placed, atMillis))
  }
  for (const { atMillis, run } of happenings.toSorted((a, b) => a.atMillis - b.atMillis)) {
    yield* settleUntil(atMillis)
    yield* run
  }
  yield* settleUntil(nowMillis)
})
