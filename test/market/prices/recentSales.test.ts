import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makePair, pass } from "../orders/Sold.ts"
import { ask, Served } from "../Served.ts"
import type { Party } from "../Shop.ts"
import { suite, values } from "../../support/sandbox.ts"

const productId = "10010"
const salesOf = ({ api }: Party, query: Parameters<Party["api"]["prices"]["recentSales"]>[0]["query"] = {}) =>
  api.prices.recentSales({ params: { productId }, query })

suite(Served.layer())("recent sales of a product", (it) => {
  it("are its sold lines with price, region and day, newest first; one that is cancelled or refunded goes", function* () {
    const line = { productId: Number(productId), quantity: 2 }
    const dollars = yield* makePair({ currency: "USD", items: [{ ...line, price: 11 }] })
    const euros = yield* makePair({ items: [{ ...line, price: 3, condition: "LP" }] })
    const first = yield* dollars.order
    yield* pass(60)
    const second = yield* euros.order
    const { data, pagination } = yield* salesOf(euros.buyer)
    const common = { quantity: 2, finish: "Standard", language: "en", graded: null }
    const { placedAt } = yield* second.sale
    assert.deepEqual(data, [
      {
        soldAt: placedAt,
        region: "eu",
        price: { amount: 3, currency: "EUR" },
        priceEur: { amount: 3, currency: "EUR" },
        condition: "LP",
        ...common
      },
      {
        soldAt: (yield* first.sale).placedAt,
        region: "na",
        price: { amount: 11, currency: "USD" },
        // A euro is 1.10 dollars in the sandbox.
        priceEur: { amount: 10, currency: "EUR" },
        condition: "NM",
        ...common
      }
    ])
    assert.isNull(pagination.nextCursor)
    assert.strictEqual((yield* salesOf(euros.buyer, { condition: "NM" })).data.length, 1)
    assert.strictEqual((yield* salesOf(euros.buyer, { finish: "Foil" })).data.length, 0)
    assert.strictEqual((yield* salesOf(euros.buyer, { language: "en" })).data.length, 2)

    yield* first.reach("cancelled_seller")
    yield* second.reach("shipped")
    assert.deepEqual(values((yield* salesOf(euros.buyer)).data, "condition"), ["LP"])
    yield* second.step("dispute_open")
    yield* second.step("dispute_escalated")
    yield* second.step("resolved_full_refund")
    assert.deepEqual((yield* salesOf(euros.buyer)).data, [])
  })

  it("come page by page, each once, and end after 30 days", function* () {
    const items = [1, 2, 3].map((price) => ({ productId: 10_016, price, quantity: 1 }))
    const { buyer, order } = yield* makePair({ items })
    // An unshipped order is cancelled after some days.
    yield* (yield* order).reach("completed")
    yield* (yield* order).reach("completed")
    const page = (query: string) =>
      Effect.map(ask(`/v1/products/10016/sales?limit=4${query}`, { key: buyer.key }), ({ json }) => json)
    const first = yield* page("")
    const second = yield* page(`&cursor=${first.pagination.nextCursor}`)
    const prices = [first, second].map(({ data }) =>
      data.map((each) => (each as unknown as { price: { amount: number } }).price.amount)
    )
    assert.deepEqual(prices, [
      [1, 2, 3, 1],
      [2, 3]
    ])
    assert.isNull(second.pagination.nextCursor)
    yield* pass(30 * 86_400 - 60)
    assert.strictEqual((yield* page("")).data.length, 4)
    yield* pass(61)
    assert.deepEqual((yield* page("")).data.length, 0)
  })
})
