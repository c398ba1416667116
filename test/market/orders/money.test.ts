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
  })

  it("adds up to the cent in every currency on either side", function* () {
    const cents = (...amounts: ReadonlyArray<{ readonly amount: number } | null | undefined>) =>
      amounts.reduce((sum, one) => sum + Math.round((one?.amount ?? Number.NaN) * 100), 0)
    const currencies = ["EUR", "USD", "GBP", "CAD", "CHF"] as const
    for (const [place, country] of ["DE", "US", "GB", "CA", "CH"].entries()) {
      // Each currency of a seller meets another one of a buyer, and its own.
      for (const currency of [currencies[place]!, currencies[(place + 2) % 5]!]) {
        const item = { price: 0.07 + 13.33 * place, quantity: 1 + place }
        const order = yield* sold({ currency, buyerCountry: country, items: [item], shipping: 1.05 })
        const { payout, sellerFee, shippingAmount, subtotal } = yield* order.ship()
        assert.strictEqual(cents(subtotal, shippingAmount), cents(payout.amount, sellerFee.amount))
        const bought = yield* order.purchase
        assert.strictEqual(bought.currency, currencies[place])
        const parts = [bought.subtotal, bought.shippingAmount, bought.buyerFee, bought.tax]
        assert.strictEqual(cents(bought.total), cents(...parts))
        const [line] = bought.items
        assert.deepEqual(cents(line?.lineTotal), cents(bought.subtotal))
        assert.deepEqual(cents(line?.unitPrice) * item.quantity, cents(bought.subtotal))
      }
    }
  })

  it("goes back in part: never all of it, one refund at a time, and the fee is of the rest", function* () {
    const { purchase, refund, sale, ship } = yield* sold()
    // 20 + 2.50; the last cent stays.
    assert.deepInclude(yield* Effect.flip(refund(22.5)), { code: "AMOUNT_TOO_HIGH", data: { maxAllowed: 22.49 } })
    assert.deepInclude(yield* refund(5), { refunded: money(5), sellerFee: { percentage: 5, amount: money(0.75) } })
    assert.deepEqual((yield* purchase).refund, { amount: money(5), refundedAt: null })
    assert.deepInclude(yield* Effect.flip(refund(1)), { code: "REFUND_IN_PROGRESS" })
    yield* pass(61)
    const { refundedAt } = (yield* purchase).refund ?? {}
    assert.match(refundedAt ?? "", /^\d{4}-/)
    assert.deepInclude(yield* Effect.flip(refund(17.5)), { code: "AMOUNT_TOO_HIGH", data: { maxAllowed: 17.49 } })
    yield* refund(17.49)
    yield* ship()
    assert.deepEqual((yield* sale).payout.amount, money(0.01))
  })

  it("does not go back while it is paid out, in the minute before the order is completed", function* () {
    const { reach, refund, sale } = yield* sold()
    yield* reach("delivered")
    const day = 86_400
    yield* pass(3 * day - 120)
    yield* refund(1)
    yield* pass(90)
    assert.strictEqual((yield* sale).status, "delivered")
    assert.deepInclude(yield* Effect.flip(refund(1)), { code: "REFUND_IN_PROGRESS", status: 409 })
    yield* pass(60)
    assert.strictEqual((yield* sale).status, "completed")
    assert.deepInclude(yield* Effect.flip(refund(1)), { code: "INVALID_STATUS" })
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

  it("waits in the seller's balance from shipping on, and can be paid out when the order is completed", function* () {
    const order = yield* sold()
    const shown = Effect.map(order.balance, ({ available, pending }) => [available.amount, pending.amount])
    assert.deepEqual(yield* shown, [0, 0])
    yield* order.ship()
    assert.deepEqual(yield* shown, [0, 21.5])
    yield* order.step("delivered")
    yield* order.refund(10)
    assert.deepEqual(yield* shown, [0, 12])
    yield* order.step("completed")
    assert.deepEqual(yield* shown, [12, 0])
  })
})
