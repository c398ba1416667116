import { assert } from "@effect/vitest"
import type { MarketEvent } from "../../../src/market/contract/events/MarketEvent.ts"
import type { PurchaseDetail, Sale } from "../../../src/market/contract/orders/Order.ts"
import { total, values } from "../../support/sandbox.ts"
import { insist } from "./Caller.ts"
import { type Dealer, unitCents } from "./Dealer.ts"

const get = async <A>(url: string, key: string, path: string): Promise<A> =>
  (await insist(url, key, { method: "GET", path }, () => undefined)) as A

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: { readonly nextCursor: string | null }
}

/** All items of a cursor list. */
const sweep = async <A>(url: string, key: string, path: string): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Page<A> = await get(url, key, `${path}?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`)
    found.push(...page.data)
    cursor = page.pagination.nextCursor
  }
  return found
}

const centsOf = ({ amount }: { readonly amount: number }) => Math.round(amount * 100)

const checkSales = (dealer: Dealer, sales: ReadonlyArray<Sale>) => {
  for (const { items, metadata, orderNumber, refunded, status, subtotal } of sales) {
    const known = dealer.orders.get(orderNumber)
    assert.deepInclude(known, { status, refundedCents: status === "cancelled_seller" ? 0 : centsOf(refunded) })
    assert.strictEqual(items.length, 1, orderNumber)
    assert.strictEqual(items[0]?.quantity, known?.units)
    assert.strictEqual(centsOf(subtotal), (known?.units ?? 0) * unitCents)
    assert.strictEqual(metadata["note"] ?? "0", String(known?.note))
  }
}

const eventsOf = async (url: string, accountId: string): Promise<ReadonlyArray<MarketEvent>> => {
  const found: Array<MarketEvent> = []
  for (let after = 0; ;) {
    const path = `/sandbox/events?accountId=${accountId}&after=${after}`
    const { data } = await get<{ data: ReadonlyArray<{ number: number; event: MarketEvent }> }>(url, "", path)
    if (data.length === 0) return found
    found.push(...data.map(({ event }) => event))
    after = data.at(-1)?.number ?? after
  }
}

/** Every order is there once, with both sides and its events; the events alone tell the stock. */
export const checkWhole = async (url: string, dealer: Dealer): Promise<void> => {
  const sales = await sweep<Sale>(url, dealer.seller.key, "/v1/sales")
  assert.sameMembers([...values(sales, "orderNumber")], [...dealer.orders.keys()])
  checkSales(dealer, sales)
  const purchases = await sweep<PurchaseDetail>(url, dealer.buyer.key, "/v1/purchases")
  assert.deepEqual(values(purchases, "orderNumber", "status"), values(sales, "orderNumber", "status"))
  const events = await eventsOf(url, dealer.seller.id)
  const created = events.flatMap((event) => (event.type === "order.created" ? [event.data.orderNumber] : []))
  assert.sameMembers(created, [...dealer.orders.keys()])
  const told = new Map<string, number>()
  for (const event of events) {
    if (event.type !== "inventory.quantity.changed") continue
    for (const { after, before, inventoryId } of event.data.changes) {
      assert.strictEqual(before, told.get(inventoryId) ?? 0, event.eventId)
      told.set(inventoryId, after)
    }
  }
  assert.strictEqual(total([...told], "1"), dealer.units)
}
