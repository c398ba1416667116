import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, fieldsOf, once } from "../Fact.ts"
import { answered, readAll, readList, all } from "../reading/ask.ts"
import { dateTime, just, maybeNull, money, object, oneOf } from "../reading/kinds.ts"
import { card } from "../world/trade.ts"

const operation = "GET /v1/products/{productId}/sales"

/** Sales of a product that nobody else trades: one stays, one is cancelled, one is refunded whole. */
const sold = once(async ({ ask, buy, buyer, offer, party, reach, seller }) => {
  const me = await seller()
  const british = await party({ country: "GB", currency: "GBP" })
  for (const [from, amount, condition, status, currency] of [
    [me, 3, "LP", "completed", "EUR"],
    [me, 4, "MP", "cancelled_seller", "EUR"],
    [me, 6, "DMG", "resolved_full_refund", "EUR"],
    [british, 5, "HP", "completed", "GBP"]
  ] as const) {
    const order = await buy(buyer, [await offer(from, amount, { productId: 10_013, condition }, currency)])
    await reach(from, order, status)
  }
  return await readList(ask("GET /v1/products/10013/sales"), "data")
})
const sale = fieldsOf("a recent sale", sold)

/** The recent sales of a product. */
export const recentSales: ReadonlyArray<Fact> = [
  ...sale(dateTime, "soldAt", ""),
  ...sale(just("eu"), "region", ""),
  ...sale(money, "price priceEur", ""),
  ...sale(just("EUR"), "priceEur.currency", ""),
  ...sale(just(1), "quantity", ""),
  ...sale(just("Standard"), "finish", ""),
  ...sale(maybeNull(oneOf("LP", "HP")), "condition", ""),
  ...sale(just("en"), "language", ""),
  ...sale(maybeNull(object), "graded", ""),
  fact(operation, "a price is as it was listed, and a cancelled or refunded sale is gone", async (world) => {
    deepEqual(all(await sold(world), "*.price"), [
      { amount: 5, currency: "GBP" },
      { amount: 3, currency: "EUR" }
    ])
  }),
  fact(operation, "newest first", async ({ ask }) => {
    const times = (await readAll(ask(`GET /v1/products/${card.productId}/sales?limit=100`), "data.*.soldAt")).map(
      String
    )
    ok(times.length > 10)
    deepEqual(times, times.toSorted().toReversed())
  }),
  ...["condition=HP", "finish=Standard&condition=HP&language=en"].map((query) =>
    fact(operation, `?${query} finds those sales alone`, async (world) => {
      await sold(world)
      const found = await answered(world.ask(`GET /v1/products/10013/sales?${query}`))
      deepEqual(all(found, "data.*.condition"), ["HP"])
    })
  ),
  fact(operation, "a sale is there for 30 days", async (world) => {
    const count = (await sold(world)).length
    equal(count, 2)
    const left = async () => (await readList(world.ask("GET /v1/products/10013/sales"), "data")).length
    await world.wait(29 * 86_400)
    equal(await left(), 2)
    await world.wait(2 * 86_400)
    equal(await left(), 0)
  })
]
