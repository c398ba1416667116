import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { MarketCurrency } from "../../../src/market/contract/Money.ts"
import { Served } from "../Served.ts"
import { makePair, pass, sold } from "./Sold.ts"
import { suite, values } from "../../support/sandbox.ts"

const money = (amount: number, currency: MarketCurrency = "EUR") => ({ amount, currency })

suite(Served.layer())("the money of an order", (it) => {
  it("adds up on both sides in one currency", function* () {
    // 3 x 1.99 + 1 x 0.33 = 6.30; 5 % of it is 0.315, rounded 0.32; 2 % is 0.126, rounded 0.13.
    const order = yield* sold({
      items: [
        { price: 1.99, quantity: 3 },
        { price: 0.33, quantity: 1, condition: "LP" }
      ],
      shipping: 1.2
    })
    yield* order.reach("delivered")
    const sale = yield* order.sale
    assert.deepInclude(sale, {
      currency: "EUR",
      subtotal: money(6.3),
      shippingAmount: money(1.2),
      sellerFee: { percentage: 5, amount: money(0.32) },
      refunded: money(0)
    })
    assert.deepEqual(sale.payout.amount, money(7.18))
    assert.deepEqual(values(sale.items, "unitPrice.amount", "quantity", "lineTotal.amount"), [
      [1.99, 3, 5.97],
      [0.33, 1, 0.33]
    ])
    assert.deepInclude(yield* order.purchase, {
      currency: "EUR",
      subtotal: money(6.3),
      shippingAmount: money(1.2),
      buyerFee: money(0.13),
      tax: money(0),
      total: money(7.63)
    })
  })

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

  it("goes back in part: never all of it, and the fee is of the rest", function* () {
    const { refund, sale, ship } = yield* sold()
    // 20 + 2.50; the last cent stays.
    assert.deepInclude(yield* Effect.flip(refund(22.5)), { code: "AMOUNT_TOO_HIGH", data: { maxAllowed: 22.49 } })
    assert.deepInclude(yield* refund(5), { refunded: money(5), sellerFee: { percentage: 5, amount: money(0.75) } })
    yield* pass(61)
    assert.deepInclude(yield* Effect.flip(refund(17.5)), { code: "AMOUNT_TOO_HIGH", data: { maxAllowed: 17.49 } })
    yield* refund(17.49)
    yield* ship()
    assert.deepEqual((yield* sale).payout.amount, money(0.01))
  })

  it("of a cancelled order goes back whole, the service's fee and tax too", function* () {
    const order = yield* sold({ buyerCountry: "US" })
    yield* order.cancel
    const { cancellation, refund, total } = yield* order.purchase
    assert.deepEqual(refund?.amount, total)
    assert.deepInclude(cancellation, { cancelledBy: "seller", reason: "item_damaged", reasonText: "Water got in" })
    const sale = yield* order.sale
    assert.deepInclude(sale, { refunded: money(22.5), sellerFee: { percentage: 5, amount: money(0) } })
    assert.deepEqual(sale.payout, { amount: null, eligibleAt: null, paidOutAt: null })
    assert.deepInclude(yield* order.balance, { available: money(0), pending: money(0) })
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
