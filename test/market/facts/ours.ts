import { deepEqual, equal, notEqual } from "node:assert/strict"
import { type Fact, fact, section } from "./Fact.ts"
import { answered, readAt, refused, at, centsAt } from "./reading/ask.ts"

const day = 86_400

/** After so many days an order that nobody touches has another status, and not before. */
const movesAfter = (from: string, days: number, to: string): Fact =>
  fact("", `${from} becomes ${to} after ${days} days`, async ({ ordered, saleOf, wait }) => {
    const order = await ordered(from)
    await wait(days * day - 300)
    equal(at(await saleOf(order), "status"), from)
    await wait(600)
    equal(at(await saleOf(order), "status"), to)
  })

/** What the sandbox does where neither document has a figure. */
export const ours = section("ours", "Orders", [
  movesAfter("pending_shipment", 14, "cancelled_auto"),
  movesAfter("cancellation_requested", 3, "cancelled_auto"),
  movesAfter("delivered", 3, "completed"),
  fact("", "a tracked parcel without a scan stays shipped", async ({ ordered, saleOf, wait }) => {
    const order = await ordered("shipped")
    await wait(60 * day)
    equal(at(await saleOf(order), "status"), "shipped")
  }),
  fact("", "an untracked parcel is closed after 21 days", async ({ buy, offer, party, seller, shipTo, wait }) => {
    const [me, to] = [await seller(), await party({ country: "AT" })]
    await shipTo(me, "AT", "untracked")
    const order = await buy(to, [await offer(me, 4)])
    await answered(me.ask(`POST /v1/sales/${order}/mark-shipped`, {}))
    const status = async () => await readAt(me.ask(`GET /v1/sales/${order}`), "status")
    await wait(21 * day - 300)
    equal(await status(), "shipped")
    await wait(600)
    equal(await status(), "completed")
  }),
  fact("", "the buyer's fee is 2 % of the items; in na, tax is 8 % of items and shipping", async (world) => {
    const { buy, offer, party, buyer, offers, purchaseOf } = world
    const eu = await purchaseOf(await buy(buyer, offers.slice(0, 1)))
    deepEqual([centsAt(eu, "buyerFee.amount"), centsAt(eu, "tax.amount")], [30, 0])
    const to = await party({ country: "US" })
    const shop = await party({ country: "US", currency: "USD" })
    const na = await answered(to.ask(`GET /v1/purchases/${await buy(to, [await offer(shop, 50, {}, "USD")])}`))
    const taxed = centsAt(na, "subtotal.amount") + centsAt(na, "shippingAmount.amount")
    deepEqual([centsAt(na, "buyerFee.amount"), centsAt(na, "tax.amount")], [100, Math.round(taxed * 0.08)])
  }),
  fact("", "an insurance is 1 % of the items, kept from the payout", async (world) => {
    const { buy, buyer, offers, reach, saleOf, shop } = world
    const order = await buy(buyer, offers.slice(2, 3), { isInsured: true })
    await reach(shop, order, "shipped")
    const sale = await saleOf(order)
    // 100.10 and 2.50 for shipping; less 5.01 (5 %, rounded up from a half) and 1.00.
    equal(centsAt(sale, "payout.amount.amount"), 10_010 + 250 - centsAt(sale, "sellerFee.amount.amount") - 100)
  }),
  fact("", "a refund arrives after a minute", async ({ ordered, purchaseOf, shop, wait }) => {
    const order = await ordered("shipped")
    await answered(shop.ask(`POST /v1/sales/${order}/refunds`, { amount: 1 }))
    equal(at(await purchaseOf(order), "refund.refundedAt"), null)
    await wait(61)
    notEqual(at(await purchaseOf(order), "refund.refundedAt"), null)
  }),
  fact("", "a review is 1 to 5 stars once the parcel is there; the order's next one replaces it", async (world) => {
    const { control, ordered } = world
    const rate = (order: string, stars: number) => control(`POST /sandbox/orders/${order}/review`, { stars })
    equal((await rate(await ordered("shipped"), 5)).status, 409)
    const order = await ordered("delivered")
    for (const stars of [0, 6, 1.5]) await refused(rate(order, stars), 400)
    const first = await answered(rate(order, 5))
    equal(await readAt(rate(order, 1), "count"), at(first, "count"))
  }),
  fact("", "a cart's item is at most 1,000 units", async ({ offer, party, seller }) => {
    const me = await party({ country: "FR" })
    const { listingId } = await offer(await seller(), 0.1, { quantity: 2000 })
    const add = (quantity: number) =>
      me.ask("POST /v1/cart/items", { deliveryCountry: "FR", items: [{ listingId, quantity }] })
    equal(at((await add(1001)).json, "errors.0.data.max"), 1000)
    equal(at((await add(1000)).json, "cart.itemCount"), 1000)
  })
])
