import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { OrderStatus } from "../../../src/market/contract/orders/orderParts.ts"
import { edges } from "../facts/beyond/orders.ts"
import { buy } from "../Shop.ts"
import type { Served } from "../Served.ts"
import {
  lineAt,
  linesOf,
  type Market,
  type Model,
  type ModelOrder,
  newLine,
  traders,
  checkMarket,
  makeMarket
} from "./Market.ts"

/**
 * A life of a market. With one hand at work, the model says what should come of a deed before the market is asked.
 * With many, nobody knows who comes first: a deed is done or refused, and the model notes what was answered.
 */
interface Life {
  readonly model: Model
  readonly market: Market
  readonly isAlone: boolean
}

/** Something that happens in a market. */
type Deed = (life: Life) => Effect.Effect<unknown, unknown, Served>

const shippingCents = 250
const sellers = traders.flatMap((trader, at) => ("currency" in trader ? [{ ...trader, at }] : []))
const seller = fc.constantFrom(...sellers)
const small = fc.integer({ min: 1, max: 4 })
const pick = fc.nat({ max: 20 })
const condition = fc.constantFrom("NM", "LP")
const status = fc.constantFrom(...OrderStatus.literals)
/** Mostly null: along an edge, so that orders get far; else any status. */
const wild = fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: status, weight: 1 })
const price = fc.integer({ min: 1, max: 5000 })
const orderAt = ({ orders }: Model, at: number): ModelOrder | undefined => orders[at % Math.max(1, orders.length)]
const isEdge = ({ status }: ModelOrder, to: OrderStatus) => edges[status]?.includes(to) === true
const priceOf = (cents: number, currency: "EUR" | "GBP") => ({ amount: cents / 100, currency })

/** Asks the market, and does `then` if that was done. Whatever is refused is a 4xx; alone, it has to be as it should. */
const attempt = Effect.fnUntraced(function* <A, E>(
  { isAlone }: Life,
  should: boolean | undefined,
  call: Effect.Effect<A, E, Served>,
  then: (answer: A) => void = () => undefined
) {
  const exit = yield* Effect.result(call)
  if (isAlone && should !== undefined) assert.strictEqual(exit._tag, should ? "Success" : "Failure", String(exit))
  if (exit._tag === "Success") return then(exit.success)
  const error: unknown = exit.failure
  const code = typeof error === "object" && error !== null && "status" in error ? Number(error.status) : NaN
  assert.isTrue(code >= 400 && code < 500, String(error))
})

/** What each seller begins with, so that there is something to buy. */
const firstStock = ({ market: { parties }, model }: Life) =>
  Effect.forEach(sellers, ({ at, currency }) => {
    model.added[at]! += 20
    return parties[at]!.api.inventory.createLines({ payload: { lines: [newLine("NM", 20, 1999, currency)] } })
  })

/** A line of a seller, if there is one that is like that. */
const someLine = ({ market }: Life, at: number, place: number, isLike: "any" | "for sale" = "any") =>
  Effect.map(linesOf(market.parties[at]!), (lines) =>
    lineAt(
      lines.filter(({ forSale }) => isLike === "any" || forSale),
      place
    )
  )

/** A deed with what it draws, which its name shows. */
const drawn = <Drawn>(name: string, arbitrary: fc.Arbitrary<Drawn>, done: (it: Drawn) => Deed) =>
  arbitrary.map((it) => ({ toString: () => `${name} ${JSON.stringify(it)}`, deed: done(it) }))

/** A deed with some order, if there is one. */
const withOrder = <Drawn extends { readonly order: number }>(
  name: string,
  arbitrary: fc.Arbitrary<Drawn>,
  done: (life: Life, order: ModelOrder, it: Drawn) => Effect.Effect<unknown, unknown, Served>
) =>
  drawn(name, arbitrary, (it) => (life) => {
    const order = orderAt(life.model, it.order)
    return order === undefined ? Effect.void : done(life, order, it)
  })

const deeds: ReadonlyArray<fc.Arbitrary<{ readonly deed: Deed; readonly toString: () => string }>> = [
  drawn(
    "adds stock",
    fc.record({ seller, quantity: small, cents: fc.option(price), condition }),
    ({ cents, condition, quantity, seller: { at, currency } }) =>
      (life) => {
        const lines = [newLine(condition, quantity, cents, currency)]
        const call = life.market.parties[at]!.api.inventory.createLines({ payload: { lines } })
        return attempt(life, true, call, () => void (life.model.added[at]! += quantity))
      }
  ),
  drawn(
    "counts again",
    fc.record({ seller, line: pick, adjust: fc.integer({ min: -4, max: 4 }) }),
    ({ adjust, line, seller: { at } }) =>
      Effect.fnUntraced(function* (life: Life) {
        const found = yield* someLine(life, at, line)
        if (found === undefined) return
        const params = { inventoryId: found.id }
        const call = life.market.parties[at]!.api.inventory.changeLine({ params, payload: { quantity: { adjust } } })
        const should = found.quantity + adjust < 0 ? false : found.quantity + adjust > 0 ? true : undefined
        yield* attempt(life, should, call, () => void (life.model.added[at]! += adjust))
      })
  ),
  drawn(
    "lists, reprices, or takes off sale",
    fc.record({ seller, line: pick, few: small, cents: price, isRepriced: fc.boolean() }),
    ({ cents, few, isRepriced, line, seller: { at, currency } }) =>
      Effect.fnUntraced(function* (life: Life) {
        const found = yield* someLine(life, at, line)
        if (found === undefined) return
        const { list, reprice, unlist } = life.market.parties[at]!.api.listings
        const params = { inventoryId: found.id }
        const quantity = Math.min(few, found.quantity)
        const price = priceOf(cents, currency)
        if (!found.forSale) yield* attempt(life, true, list({ params, payload: { price, quantity } }))
        else if (isRepriced) yield* attempt(life, true, reprice({ params, payload: { price } }))
        else yield* attempt(life, true, unlist({ params, payload: { quantity } }))
      })
  ),
  drawn(
    "grades some again",
    fc.record({ seller, line: pick, count: small, condition: fc.constantFrom("NM", "LP", "MP") }),
    ({ condition, count, line, seller: { at } }) =>
      Effect.fnUntraced(function* (life: Life) {
        const found = yield* someLine(life, at, line)
        // A part in the same condition would be a line of its own.
        if (found === undefined || found.condition === condition) return
        const params = { inventoryId: found.id }
        const payload = { condition, count: Math.min(count, found.quantity) }
        yield* attempt(life, true, life.market.parties[at]!.api.inventory.changeLine({ params, payload }))
      })
  ),
  drawn("throws a line away", fc.record({ seller, line: pick }), ({ line, seller: { at } }) =>
    Effect.fnUntraced(function* (life: Life) {
      const found = yield* someLine(life, at, line)
      // The answer does not say how many units went.
      if (found === undefined || !life.isAlone) return
      life.model.added[at]! -= found.quantity
      yield* life.market.parties[at]!.api.inventory.deleteLine({ params: { inventoryId: found.id }, payload: {} })
    })
  ),
  drawn(
    "buy at once",
    fc.record({ seller, line: pick, units: small, buyers: fc.subarray([0, 1, 2, 3], { minLength: 1 }) }),
    ({ buyers, line, seller: { at }, units }) =>
      Effect.fnUntraced(function* (life: Life) {
        const found = yield* someLine(life, at, line, "for sale")
        const others = buyers.filter((each) => each !== at)
        if (found === undefined || others.length === 0) return
        const items = [{ listingId: `lst_${found.id}`, quantity: units }]
        const before = life.model.orders.length
        const buys = others.map((buyer) =>
          attempt(life, undefined, buy(life.market.parties[buyer]!, items), ([number]) =>
            life.model.orders.push({
              number: number!,
              buyer,
              seller: at,
              units,
              status: "pending_shipment",
              refundedCents: 0,
              soldCents: Math.round((found.listing?.price.amount ?? 0) * 100) * units + shippingCents,
              isRefunding: false
            })
          )
        )
        yield* Effect.all(buys, { concurrency: "unbounded" })
        const placed = Math.min(others.length, Math.floor(found.quantity / units))
        if (life.isAlone) assert.strictEqual(life.model.orders.length - before, placed)
      })
  ),
  withOrder("ships", fc.record({ order: pick }), (life, order) => {
    const payload = { trackingNumber: `TRACK-${order.number}` }
    const { markShipped } = life.market.parties[order.seller]!.api.sales
    const call = markShipped({ params: { orderNumber: order.number }, payload })
    return attempt(life, isEdge(order, "shipped"), call, () => void (order.status = "shipped"))
  }),
  withOrder("refunds", fc.record({ order: pick, cents: price }), (life, order, { cents }) => {
    const states = ["pending_shipment", "cancellation_requested", "shipped", "delivered"]
    const may = states.includes(order.status) && !order.isRefunding && order.refundedCents + cents < order.soldCents
    const params = { orderNumber: order.number }
    const call = life.market.parties[order.seller]!.api.sales.refundSale({ params, payload: { amount: cents / 100 } })
    return attempt(life, may, call, () => {
      order.refundedCents += cents
      order.isRefunding = true
    })
  }),
  withOrder("cancels", fc.record({ order: pick }), (life, order) => {
    const payload = { reason: "item_damaged", reasonText: "Water got into it" } as const
    const { cancelSale } = life.market.parties[order.seller]!.api.sales
    const call = cancelSale({ params: { orderNumber: order.number }, payload })
    const may = order.status === "pending_shipment"
    return attempt(life, may, call, () => void (order.status = "cancelled_seller"))
  }),
  withOrder(
    "somebody moves",
    fc.record({ order: pick, edge: pick, cents: fc.integer({ min: 1, max: 300 }), other: wild }),
    (life, order, { cents, edge, other }) => {
      const lawful = edges[order.status] ?? []
      const to = other ?? (lawful[edge % Math.max(1, lawful.length)] as OrderStatus | undefined) ?? "shipped"
      const isPart = to === "resolved_partial_refund"
      const may = isEdge(order, to) && to !== "shipped" && !(isPart && order.refundedCents + cents >= order.soldCents)
      const { step } = life.market.control.controlOrders
      const call = step({ params: { orderNumber: order.number }, payload: { to, amount: cents / 100 } })
      return attempt(life, may, call, () => {
        order.status = to
        if (isPart) order.refundedCents += cents
        if (isWhole(to)) order.isRefunding = true
      })
    }
  ),
  fc.constant({
    toString: () => "four days pass",
    deed: Effect.fnUntraced(function* ({ isAlone, market, model }: Life) {
      yield* market.control.controlClock.advanceClock({ payload: { seconds: 4 * 86_400 } })
      if (!isAlone) return
      for (const order of model.orders) {
        order.isRefunding = false
        if (order.status === "cancellation_requested") order.status = "cancelled_auto"
        if (order.status === "delivered") order.status = "completed"
        // Unshipped orders are cancelled after 14 days: all that the model asks the market.
        if (order.status === "pending_shipment" && (yield* saleOf(market, order)).status === "cancelled_auto")
          order.status = "cancelled_auto"
      }
    })
  })
]

const saleOf = ({ parties }: Market, { number, seller }: ModelOrder) =>
  parties[seller]!.api.sales.sale({ params: { orderNumber: number } })

/** All money of these orders goes back. */
const isWhole = (status: OrderStatus) =>
  status.startsWith("cancelled_") || status === "resolved_full_refund" || status === "resolved_return"

/** Leads a market through a life, and checks what must be true then. Returns how many orders there were. */
const live = Effect.fnUntraced(function* (hands: ReadonlyArray<ReadonlyArray<Deed>>) {
  const market = yield* makeMarket
  const model: Model = { added: traders.map(() => 0), orders: [] }
  const life = { model, market, isAlone: hands.length === 1 }
  yield* firstStock(life)
  yield* Effect.forEach(hands, (all) => Effect.forEach(all, (deed) => deed(life), { discard: true }), {
    concurrency: "unbounded",
    discard: true
  })
  for (const order of model.orders) {
    // Of what many hands did at once, the market knows the outcome and at which price it was sold.
    if (!life.isAlone) {
      const { items, status } = yield* saleOf(market, order)
      order.status = status
      order.soldCents = Math.round((items[0]?.unitPrice.amount ?? 0) * 100) * order.units + shippingCents
    }
    if (isWhole(order.status)) order.refundedCents = order.soldCents
  }
  yield* checkMarket(market, model, life.isAlone)
  return model.orders.length
})

/** Leads `runs` random markets through `length` deeds of each of so many hands, and checks what must be true then. */
export const liveMarkets = (runs: number, length: number, hands = 1) =>
  Effect.gen(function* () {
    const run = Effect.runPromiseWith(yield* Effect.context<Served>())
    const hand = fc.array(fc.oneof(...deeds), { minLength: length, maxLength: length })
    let orders = 0
    const lived = fc.asyncProperty(fc.array(hand, { minLength: hands, maxLength: hands }), async (lives) => {
      orders += await run(live(lives.map((all) => all.map(({ deed }) => deed))))
    })
    yield* Effect.promise(() => fc.assert(lived, { numRuns: runs, endOnFailure: hands > 1 }))
    assert.isAbove(orders, runs)
  })
