import { assert } from "@effect/vitest"
import type { MarketCurrency } from "../../../src/market/contract/Money.ts"
import { Served } from "../Served.ts"
import { makePair, sold } from "./Sold.ts"
import { suite, values } from "../../support/sandbox.ts"

const money = (amount: number, currency: MarketCurrency = "EUR") => ({ amount, currency })

suite(Served.layer())("the money of an order", (it) => {
  it("is in the buyer's currency on the buyer's side, unit by unit, with tax where it is not in the price", function* () {
    // 1.10 USD a euro: 1.99 is 2.189, so 2.19 a unit and 6.57; 2.50 is 2.75;
    // 2 % of 6.57 is 0.13; 8 % of 9.32 is 0.75.
    const order = yield* sold({ items: [{ price: 1.99, quantity: 3 }], buyerCountry: "US" })
    const purchase = yield* order.purchase
    assert.deepInclude(purchase, {
      currency: "USD",
      subtotal: money(6.57, "USD"),
      shippingAmount: money(2.75, "USD"),
      buyerFee: money(0.13, "USD"),
      tax: money(0.75, "USD"),
      total: money(10.2, "USD")
    })
    assert.deepEqual(purchase.items[0]?.unitPrice, money(2.19, "USD"))
    assert.deepEqual((yield* order.sale).subtotal, money(5.97))
    const created = [...(yield* order.seller.events), ...(yield* order.buyer.events)].filter(
      ({ type }) => type === "order.created"
    )
    assert.deepEqual(values(created, "data.totalAmount"), [money(8.47), money(10.2, "USD")])
  })

  it("of a dispute goes where its outcome says", function* () {
    // 20 + 2.50 sold, 1.00 fee; the buyer paid 0.40 more. A refund of 1 leaves a fee of 0.95.
    const outcomes = [
      ["resolved_full_refund", 22.9, 0],
      ["resolved_return", 22.9, 0],
      ["resolved_partial_refund", 1, 20.55],
      ["resolved_goodwill_refund", 1, 21.5],
      ["resolved_no_refund", undefined, 21.5]
    ] as const
    const pair = yield* makePair()
    let paid = 0
    for (const [outcome, refunded, payout] of outcomes) {
      const order = yield* pair.order
      yield* order.reach(outcome)
      assert.strictEqual((yield* order.purchase).refund?.amount.amount, refunded, outcome)
      const sale = yield* order.sale
      assert.deepEqual(sale.payout.amount, money(payout), outcome)
      assert.strictEqual(sale.payout.paidOutAt !== null, payout > 0, outcome)
      assert.isNotNull(sale.completedAt)
      assert.deepInclude(yield* order.balance, { available: money((paid += payout)), pending: money(0) })
    }
  })
})
