import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { OrderStatus } from "../../../src/market/contract/orders/orderParts.ts"
import { buy } from "../Shop.ts"
import type { Served } from "../Served.ts"
import { checkMarket, lineAt, linesOf, makeMarket, type Market, newLine, traders } from "./Market.ts"

/** What was answered to all of them together; who races with whom is not known in advance. */
interface Ledger {
  readonly added: Array<number>
  readonly orders: Array<{
    readonly number: string
    readonly buyer: number
    readonly seller: number
    readonly units: number
  }>
  readonly refunds: Array<{ readonly number: string; readonly cents: number }>
}
type Deed = (ledger: Ledger, market: Market) => Effect.Effect<unknown, unknown, Served>

const sellers = traders.flatMap((trader, at) => ("currency" in trader ? [{ ...trader, at }] : []))
const seller = fc.constantFrom(...sellers)
const pick = fc.nat({ max: 20 })
const few = fc.integer({ min: 1, max: 4 })
const cents = fc.integer({ min: 1, max: 5000 })

/** Does it, unless others were first: then it is refused with a 4xx, and nothing comes of it. */
const attempt = <A, E>(call: Effect.Effect<A, E, Served>, then: (answer: A) => void = () => undefined) =>
  Effect.match(call, {
    onSuccess: then,
    onFailure: (error) => {
      const status = typeof error === "object" && error !== null && "status" in error ? Number(error.status) : NaN
      assert.isTrue(status >= 400 && status < 500, String(error))
    }
  })

const someLine = ({ parties }: Market, at: number, place: number) =>
  Effect.map(linesOf(parties[at]!), (lines) => lineAt(lines, place))
const someOrder = ({ orders }: Ledger, place: number) => orders[place % Math.max(1, orders.length)]

const deeds: ReadonlyArray<{ readonly weight: number; readonly arbitrary: fc.Arbitrary<Deed> }> = [
  {
    weight: 3,
    arbitrary: fc
      .record({ seller, few, cents: fc.option(cents), condition: fc.constantFrom("NM", "LP") })
      .map(({ cents, condition, few, seller: { at, currency } }): Deed => (ledger, { parties }) => {
        const lines = [newLine(condition, few, cents, currency)]
        return attempt(parties[at]!.api.inventory.createLines({ payload: { lines } }), () => {
          ledger.added[at]! += few
        })
      })
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ seller, pick, by: fc.integer({ min: -4, max: 4 }) })
      .map(({ by, pick, seller: { at } }): Deed =>
        Effect.fnUntraced(function* (ledger, market) {
          const line = yield* someLine(market, at, pick)
          if (line === undefined) return
          const params = { inventoryId: line.id }
          const payload = { quantity: { adjust: by } }
          yield* attempt(market.parties[at]!.api.inventory.changeLine({ params, payload }), () => {
            ledger.added[at]! += by
          })
        })
      )
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ seller, pick, few, cents, way: fc.constantFrom("list", "unlist", "reprice", "split") })
      .map(({ cents, few, pick, seller: { at, currency }, way }): Deed =>
        Effect.fnUntraced(function* (_, market) {
          const line = yield* someLine(market, at, pick)
          if (line === undefined) return
          const { inventory, listings } = market.parties[at]!.api
          const params = { inventoryId: line.id }
          const price = { amount: cents / 100, currency }
          if (way === "list") yield* attempt(listings.list({ params, payload: { price, quantity: few } }))
          if (way === "unlist") yield* attempt(listings.unlist({ params, payload: { quantity: few } }))
          if (way === "reprice") yield* attempt(listings.reprice({ params, payload: { price } }))
          if (way === "split")
            yield* attempt(inventory.changeLine({ params, payload: { condition: "MP", count: few } }))
        })
      )
  },
  {
    weight: 5,
    arbitrary: fc
      .record({ seller, pick, few, buyer: fc.nat({ max: 3 }) })
      .map(({ buyer, few, pick, seller: { at } }): Deed =>
        Effect.fnUntraced(function* (ledger, market) {
          const line = yield* someLine(market, at, pick)
          if (line === undefined || buyer === at) return
          yield* attempt(buy(market.parties[buyer]!, [{ listingId: `lst_${line.id}`, quantity: few }]), (numbers) => {
            for (const number of numbers) ledger.orders.push({ number, buyer, seller: at, units: few })
          })
        })
      )
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ pick, cents, way: fc.constantFrom("ship", "cancel", "refund") })
      .map(({ cents, pick, way }): Deed =>
        Effect.fnUntraced(function* (ledger, { parties }) {
          const order = someOrder(ledger, pick)
          if (order === undefined) return
          const { sales } = parties[order.seller]!.api
          const params = { orderNumber: order.number }
          const why = { reason: "item_damaged", reasonText: "Water got into it" } as const
          if (way === "ship") {
            yield* attempt(sales.markShipped({ params, payload: { trackingNumber: `TRACK-${order.number}` } }))
          }
          if (way === "cancel") yield* attempt(sales.cancelSale({ params, payload: why }))
          if (way === "refund") {
            yield* attempt(sales.refundSale({ params, payload: { amount: cents / 100 } }), () =>
              ledger.refunds.push({ number: order.number, cents })
            )
          }
        })
      )
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ pick, to: fc.constantFrom(...OrderStatus.literals), cents: few })
      .map(({ cents, pick, to }): Deed =>
        Effect.fnUntraced(function* (ledger, { control }) {
          const order = someOrder(ledger, pick)
          if (order === undefined) return
          const payload = { to, amount: cents / 100 }
          yield* attempt(control.controlOrders.step({ params: { orderNumber: order.number }, payload }), () => {
            if (to === "resolved_partial_refund") ledger.refunds.push({ number: order.number, cents })
          })
        })
      )
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(60, 3600, 3 * 86_400).map(
      (seconds): Deed =>
        (_, { control }) =>
          control.controlClock.advanceClock({ payload: { seconds } })
    )
  }
]

/** The books as they have to be after all of it, order by order. */
const closeBooks = Effect.fnUntraced(function* ({ added, orders, refunds }: Ledger, { parties }: Market) {
  const units = [...added]
  const closed = yield* Effect.forEach(
    orders,
    Effect.fnUntraced(function* ({ buyer, number, seller, units: sold }) {
      const sale = yield* parties[seller]!.api.sales.sale({ params: { orderNumber: number } })
      const isCancelled = sale.status.startsWith("cancelled_")
      if (!isCancelled) units[seller]! -= sold
      const soldCents = Math.round((sale.items[0]?.unitPrice.amount ?? 0) * 100) * sold + 250
      const isWhole = isCancelled || sale.status === "resolved_full_refund" || sale.status === "resolved_return"
      const returned = refunds.reduce((sum, refund) => sum + (refund.number === number ? refund.cents : 0), 0)
      const refundedCents = isWhole ? soldCents : returned
      return { number, seller, buyer, units: sold, status: sale.status, soldCents, refundedCents, isRefunding: false }
    })
  )
  return { units, orders: closed }
})

/** In `runs` markets, `hands` do `length` deeds each at once; checks what must be true then. */
export const liveCrowds = (runs: number, { hands, length }: { readonly hands: number; readonly length: number }) =>
  Effect.gen(function* () {
    const run = Effect.runPromiseWith(yield* Effect.context<Served>())
    const live = Effect.fnUntraced(function* (lives: ReadonlyArray<ReadonlyArray<Deed>>) {
      const market = yield* makeMarket
      const ledger: Ledger = { added: traders.map(() => 0), orders: [], refunds: [] }
      yield* Effect.forEach(sellers, ({ at, currency }) => {
        ledger.added[at]! += 20
        const lines = [newLine("NM", 20, 1999, currency)]
        return market.parties[at]!.api.inventory.createLines({ payload: { lines } })
      })
      yield* Effect.forEach(lives, (life) => Effect.forEach(life, (deed) => deed(ledger, market), { discard: true }), {
        concurrency: "unbounded",
        discard: true
      })
      yield* checkMarket(market, yield* closeBooks(ledger, market))
      return ledger.orders.length
    })
    const life = fc.array(fc.oneof(...deeds), { minLength: length, maxLength: length })
    const crowd = fc.array(life, { minLength: hands, maxLength: hands })
    let orders = 0
    const lived = fc.asyncProperty(crowd, async (lives) => void (orders += await run(live(lives))))
    yield* Effect.promise(() => fc.assert(lived, { numRuns: runs, endOnFailure: true }))
    assert.isAbove(orders, runs * hands)
  })
