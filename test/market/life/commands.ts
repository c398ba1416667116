import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { OrderStatus } from "../../../src/market/contract/orders/orderParts.ts"
import { edges } from "../facts/beyond/steps.ts"
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
 * Something that happens in a market. The model says what should come of it, before the market is
 * asked.
 */
type Deed = (model: Model, market: Market) => Effect.Effect<unknown, unknown, Served>
type Command = fc.AsyncCommand<Model, Market>

const shippingCents = 250
const sellers = traders.flatMap((trader, at) => ("currency" in trader ? [{ ...trader, at }] : []))
const seller = fc.constantFrom(...sellers)
const small = fc.integer({ min: 1, max: 4 })
const pick = fc.nat({ max: 20 })
const status = fc.constantFrom(...OrderStatus.literals)
/** Mostly null: along an edge, so that orders get far; else any status. */
const wild = fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: status, weight: 1 })
const price = fc.integer({ min: 1, max: 5000 })
const orderAt = ({ orders }: Model, at: number): ModelOrder | undefined => orders[at % Math.max(1, orders.length)]
const isEdge = ({ status }: ModelOrder, to: OrderStatus) => edges[status]?.includes(to) === true

/** Succeeds if and only if it should, and says whether it did. */
const expecting = Effect.fnUntraced(function* <E>(should: boolean, call: Effect.Effect<unknown, E, Served>) {
  const exit = yield* Effect.exit(call)
  assert.strictEqual(exit._tag, should ? "Success" : "Failure", String(exit))
  return should
})

const refundWhole = (order: ModelOrder) => {
  order.refundedCents = order.soldCents
  order.isRefunding = true
}

/** Moves an order of the model to a status, and its units and money with it. */
const enter = (model: Model, order: ModelOrder, to: OrderStatus) => {
  order.status = to
  if (to.startsWith("cancelled_")) model.units[order.seller]! += order.units
  if (to.startsWith("cancelled_") || to === "resolved_full_refund" || to === "resolved_return") refundWhole(order)
}

/** What each seller begins with, so that there is something to buy. */
const firstStock: Deed = (model, { parties }) =>
  Effect.forEach(sellers, ({ at, currency }) => {
    model.units[at]! += 20
    return parties[at]!.api.inventory.createLines({ payload: { lines: [newLine("NM", 20, 1999, currency)] } })
  })

const deeds: ReadonlyArray<fc.Arbitrary<{ readonly name: string; readonly deed: Deed }>> = [
  fc.record({ seller, quantity: small, cents: fc.option(price), condition: fc.constantFrom("NM", "LP") }).map((it) => ({
    name: `adds stock ${JSON.stringify(it)}`,
    deed: (model, { parties }) => {
      model.units[it.seller.at]! += it.quantity
      const lines = [newLine(it.condition, it.quantity, it.cents, it.seller.currency)]
      return parties[it.seller.at]!.api.inventory.createLines({ payload: { lines } })
    }
  })),
  fc.record({ seller, line: pick, set: small }).map((it) => ({
    name: `counts again ${JSON.stringify(it)}`,
    deed: Effect.fnUntraced(function* (model, { parties }) {
      const party = parties[it.seller.at]!
      const line = lineAt(yield* linesOf(party), it.line)
      if (line === undefined) return
      model.units[it.seller.at]! += it.set - line.quantity
      yield* party.api.inventory.changeLine({
        params: { inventoryId: line.id },
        payload: { quantity: { set: it.set } }
      })
    })
  })),
  fc.record({ seller, line: pick, quantity: small, cents: price }).map((it) => ({
    name: `lists, or takes off sale ${JSON.stringify(it)}`,
    deed: Effect.fnUntraced(function* (_, { parties }) {
      const { api, ...party } = parties[it.seller.at]!
      const line = lineAt(yield* linesOf({ api, ...party }), it.line)
      if (line === undefined) return
      const params = { inventoryId: line.id }
      const quantity = Math.min(it.quantity, line.quantity)
      const listing = { price: { amount: it.cents / 100, currency: it.seller.currency }, quantity }
      yield* line.forSale
        ? api.listings.unlist({ params, payload: { quantity } })
        : api.listings.list({ params, payload: listing })
    })
  })),
  fc.record({ seller, line: pick, count: small, condition: fc.constantFrom("NM", "LP") }).map((it) => ({
    name: `grades some again ${JSON.stringify(it)}`,
    deed: Effect.fnUntraced(function* (_, { parties }) {
      const party = parties[it.seller.at]!
      const line = lineAt(yield* linesOf(party), it.line)
      if (line === undefined) return
      const payload = { condition: it.condition, count: Math.min(it.count, line.quantity) }
      const call = party.api.inventory.changeLine({ params: { inventoryId: line.id }, payload })
      // One that has the condition is not changed.
      yield* Effect.exit(call)
    })
  })),
  fc.record({ seller, line: pick }).map((it) => ({
    name: `throws a line away ${JSON.stringify(it)}`,
    deed: Effect.fnUntraced(function* (model, { parties }) {
      const party = parties[it.seller.at]!
      const line = lineAt(yield* linesOf(party), it.line)
      if (line === undefined) return
      model.units[it.seller.at]! -= line.quantity
      yield* party.api.inventory.deleteLine({ params: { inventoryId: line.id }, payload: {} })
    })
  })),
  fc.record({ seller, line: pick, quantity: small, buyers: fc.subarray([0, 1, 2, 3], { minLength: 1 }) }).map((it) => ({
    name: `buy at once ${JSON.stringify(it)}`,
    deed: Effect.fnUntraced(function* (model, { parties }) {
      const line = lineAt(
        (yield* linesOf(parties[it.seller.at]!)).filter(({ forSale }) => forSale),
        it.line
      )
      const buyers = it.buyers.filter((at) => at !== it.seller.at)
      if (line === undefined || buyers.length === 0) return
      const items = [{ listingId: `lst_${line.id}`, quantity: it.quantity }]
      const orders = yield* Effect.forEach(buyers, (at) => Effect.option(buy(parties[at]!, items)), {
        concurrency: "unbounded"
      })
      const placed = orders.flatMap((order, at) =>
        order._tag === "Some" ? [{ number: order.value[0]!, buyer: buyers[at]! }] : []
      )
      assert.strictEqual(placed.length, Math.min(buyers.length, Math.floor(line.quantity / it.quantity)))
      const soldCents = Math.round((line.listing?.price.amount ?? 0) * 100) * it.quantity + shippingCents
      for (const order of placed) {
        model.units[it.seller.at]! -= it.quantity
        model.orders.push({
          ...order,
          seller: it.seller.at,
          units: it.quantity,
          status: "pending_shipment",
          refundedCents: 0,
          soldCents,
          isRefunding: false
        })
      }
    })
  })),
  fc.record({ order: pick }).map((it) => ({
    name: `ships ${JSON.stringify(it)}`,
    deed: Effect.fnUntraced(function* (model, { parties }) {
      const order = orderAt(model, it.order)
      if (order === undefined) return
      const payload = { trackingNumber: `TRACK-${order.number}` }
      const call = parties[order.seller]!.api.sales.markShipped({ params: { orderNumber: order.number }, payload })
      if (yield* expecting(isEdge(order, "shipped"), call)) enter(model, order, "shipped")
    })
  })),
  fc.record({ order: pick, cents: price }).map((it) => ({
    name: `refunds ${JSON.stringify(it)}`,
    deed: Effect.fnUntraced(function* (model, { parties }) {
      const order = orderAt(model, it.order)
      if (order === undefined) return
      const states = ["pending_shipment", "cancellation_requested", "shipped", "delivered"]
      const may =
        states.includes(order.status) && !order.isRefunding && order.refundedCents + it.cents < order.soldCents
      const call = parties[order.seller]!.api.sales.refundSale({
        params: { orderNumber: order.number },
        payload: { amount: it.cents / 100 }
      })
      if (!(yield* expecting(may, call))) return
      order.refundedCents += it.cents
      order.isRefunding = true
    })
  })),
  fc.record({ order: pick, edge: pick, cents: fc.integer({ min: 1, max: 300 }), other: wild }).map((it) => ({
    name: `somebody moves ${JSON.stringify(it)}`,
    deed: Effect.fnUntraced(function* (model, { control }) {
      const order = orderAt(model, it.order)
      if (order === undefined) return
      const lawful = edges[order.status] ?? []
      const to = it.other ?? (lawful[it.edge % Math.max(1, lawful.length)] as OrderStatus | undefined) ?? "shipped"
      const isPart = to === "resolved_partial_refund"
      const may =
        isEdge(order, to) && to !== "shipped" && !(isPart && order.refundedCents + it.cents >= order.soldCents)
      const call = control.controlOrders.step({
        params: { orderNumber: order.number },
        payload: { to, amount: it.cents / 100 }
      })
      if (!(yield* expecting(may, call))) return
      if (isPart) order.refundedCents += it.cents
      enter(model, order, to)
    })
  })),
  fc.constant({
    name: "four days pass",
    deed: Effect.fnUntraced(function* (model, { control, parties }) {
      yield* control.controlClock.advanceClock({ payload: { seconds: 4 * 86_400 } })
      for (const order of model.orders) {
        order.isRefunding = false
        if (order.status === "cancellation_requested") enter(model, order, "cancelled_auto")
        if (order.status === "delivered") enter(model, order, "completed")
        if (order.status !== "pending_shipment") continue
        // Unshipped orders are cancelled after 14 days: all that the model asks the market.
        const { status } = yield* parties[order.seller]!.api.sales.sale({ params: { orderNumber: order.number } })
        if (status === "cancelled_auto") enter(model, order, status)
      }
    })
  } as { name: string; deed: Deed })
]

/** What can happen, run by `run`. */
const commands = (run: (effect: Effect.Effect<unknown, unknown, Served>) => Promise<unknown>) =>
  deeds.map((arbitrary) =>
    arbitrary.map(({ name, deed }): Command => ({
      check: () => true,
      run: async (model, market) => void (await run(deed(model, market))),
      toString: () => name
    }))
  )

/** Leads `runs` random markets through `length` deeds each, and checks what must be true then. */
export const liveMarkets = (runs: number, length: number) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Served>()
    const run = Effect.runPromiseWith(context)
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(...commands(run)), { minLength: length, maxLength: length }),
          async (life) => {
            const market = await run(makeMarket)
            const model: Model = { units: traders.map(() => 0), orders: [] }
            await run(firstStock(model, market))
            await fc.asyncModelRun(() => ({ model, real: market }), life)
            await run(checkMarket(market, model))
          }
        ),
        { numRuns: runs }
      )
    )
  })
