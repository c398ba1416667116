import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { MarketEvent } from "../../../src/market/contract/events/MarketEvent.ts"
import type { InventoryLine } from "../../../src/market/contract/inventory/InventoryLine.ts"
import type { OrderStatus } from "../../../src/market/contract/orders/orderParts.ts"
import { total } from "../../support/sandbox.ts"
import { edges } from "../facts/beyond/orders.ts"
import { card, makeParty, type Party } from "../Shop.ts"
import { control } from "../Served.ts"

/** What the model knows of an order; nothing of it is read from the marketplace. */
export interface ModelOrder {
  readonly number: string
  readonly seller: number
  readonly buyer: number
  readonly units: number
  status: OrderStatus
  refundedCents: number
  soldCents: number
  isRefunding: boolean
}

/** What has to be true of a market, as a person would keep it on paper. */
export interface Model {
  /** Units that each trader put into stock by hand, listed or not. */
  readonly added: Array<number>
  readonly orders: Array<ModelOrder>
}

/** Three sellers, of whom two share a currency, and a buyer. Each of them buys. */
export const traders = [
  { currency: "EUR", country: "DE" },
  { currency: "EUR", country: "FR" },
  { currency: "GBP", country: "GB" },
  { country: "AT" }
] as const

let markets = 0

/** A market with new accounts, in the sandbox that runs. */
export const makeMarket = Effect.gen(function* () {
  const name = `market ${++markets}`
  const parties = yield* Effect.forEach(traders, (trader, at) => makeParty(`${name}, trader ${at}`, trader))
  return { control: yield* control, parties }
})
export type Market = Effect.Success<typeof makeMarket>

export const linesOf = ({ api }: Party) =>
  Effect.map(api.inventory.lines({ query: { limit: 100 } }), ({ data }) => data.filter((line) => line.quantity > 0))
export const lineAt = (lines: ReadonlyArray<InventoryLine>, at: number) => lines[at % Math.max(1, lines.length)]

export const newLine = (condition: "NM" | "LP", quantity: number, cents: number | null, currency: "EUR" | "GBP") => ({
  ...card,
  condition,
  quantity,
  ...(cents === null ? {} : { listing: { price: { amount: cents / 100, currency } } })
})

type Events = ReadonlyArray<MarketEvent>
const cents = (money: { readonly amount: number } | null | undefined) => Math.round((money?.amount ?? 0) * 100)

/**
 * The stock is the model's, and the events tell every quantity, each change exactly once. Equal lines are one, unless
 * many hands gave a part the condition that the rest has by then.
 */
const checkStock = Effect.fnUntraced(function* (
  party: Party,
  { events, isAlone, units }: { readonly units: number; readonly events: Events; readonly isAlone: boolean }
) {
  const { data: lines } = yield* party.api.inventory.lines({ query: { limit: 100 } })
  assert.isTrue(lines.every(({ quantity }) => quantity >= 0))
  assert.strictEqual(total(lines, "quantity"), units)
  const kinds = lines
    .filter(({ quantity }) => quantity > 0)
    .map(({ condition, listing }) => JSON.stringify([condition, listing]))
  if (isAlone) assert.strictEqual(new Set(kinds).size, kinds.length, "equal lines are one")
  const quantities = new Map<string, number>()
  for (const event of events) {
    if (event.type !== "inventory.quantity.changed") continue
    for (const { after, before, inventoryId } of event.data.changes) {
      assert.strictEqual(quantities.get(inventoryId) ?? 0, before, `${inventoryId} in ${event.eventId}`)
      quantities.set(inventoryId, after)
    }
  }
  for (const { id, quantity } of lines) assert.strictEqual(quantities.get(id) ?? 0, quantity, id)
  const known = new Set(lines.map(({ id }) => id))
  for (const [id, quantity] of quantities) if (!known.has(id)) assert.strictEqual(quantity, 0, `${id} is gone`)
})

/**
 * Both sides of an order add up, and every cent that the buyer paid is accounted for. Answers the
 * seller's payout in cents, and whether it was paid out.
 */
const checkOrder = Effect.fnUntraced(function* ({ parties }: Market, order: ModelOrder) {
  const params = { orderNumber: order.number }
  const sale = yield* parties[order.seller]!.api.sales.sale({ params })
  const bought = yield* parties[order.buyer]!.api.purchases.purchase({ params })
  assert.deepStrictEqual([sale.status, bought.status], [order.status, order.status])
  const total = cents(bought.subtotal) + cents(bought.shippingAmount) + cents(bought.buyerFee) + cents(bought.tax)
  assert.strictEqual(cents(bought.total), total)
  assert.strictEqual(cents(sale.refunded), order.refundedCents)
  const sold = cents(sale.subtotal) + cents(sale.shippingAmount)
  assert.strictEqual(sold, order.soldCents)
  const isCancelled = order.status.startsWith("cancelled_")
  const payout = cents(sale.payout.amount)
  if (sale.payout.amount !== null) {
    assert.strictEqual(payout + cents(sale.sellerFee.amount) + cents(sale.refunded), sold)
  }
  const isWhole = isCancelled || order.status === "resolved_full_refund" || order.status === "resolved_return"
  if (isWhole) assert.strictEqual(cents(bought.refund?.amount), total)
  else if (sale.currency === bought.currency && order.status !== "resolved_goodwill_refund") {
    assert.strictEqual(cents(bought.refund?.amount), order.refundedCents)
  }
  return { payout, isPaid: sale.payout.paidOutAt !== null }
})

/** The events tell both sides the same states: from none, along the edges, to the order's own. */
const checkStates = (order: ModelOrder, events: ReadonlyArray<Events>) => {
  const lives = [events[order.seller] ?? [], events[order.buyer] ?? []].map((all) =>
    all.flatMap((event) =>
      event.type === "order.status.changed" && event.data.orderNumber === order.number
        ? [[event.data.previousStatus, event.data.status] as const]
        : []
    )
  )
  assert.deepStrictEqual(lives[0], lives[1])
  let now: OrderStatus | null = null
  for (const [from, to] of lives[0] ?? []) {
    assert.strictEqual(from, now)
    if (from !== null) assert.include(edges[from] ?? [], to)
    now = to
  }
  assert.strictEqual(now, order.status)
}

/** Everything that has to be true after a life. */
export const checkMarket = Effect.fnUntraced(function* (market: Market, model: Model, isAlone: boolean) {
  const events = yield* Effect.forEach(market.parties, (party) => party.events)
  const owed = traders.map(() => ({ pending: 0, available: 0 }))
  for (const order of model.orders) {
    const { payout, isPaid } = yield* checkOrder(market, order)
    const purse = owed[order.seller]!
    if (isPaid) purse.available += payout
    else purse.pending += payout
    checkStates(order, events)
  }
  for (const [at, party] of market.parties.entries()) {
    const sold = model.orders.filter(({ seller, status }) => seller === at && !status.startsWith("cancelled_"))
    const units = model.added[at]! - total(sold, "units")
    yield* checkStock(party, { units, events: events[at]!, isAlone })
    if (!("currency" in traders[at]!)) continue
    const balance = yield* party.api.account.balance({})
    assert.deepStrictEqual([cents(balance.pending), cents(balance.available)], [owed[at]!.pending, owed[at]!.available])
  }
})
