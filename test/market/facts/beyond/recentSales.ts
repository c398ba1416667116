import assert from "node:assert/strict"
import { fact, type Fact } from "../Fact.ts"
import { answered } from "../reading/ask.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import { dateTime, just, maybeNull, money, object, oneOf } from "../reading/kinds.ts"
import { once } from "../reading/once.ts"
import { all, listAt } from "../reading/paths.ts"
import { card } from "../world/trade.ts"

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
  return listAt(await answered(ask("GET /v1/products/10013/sales")), "data")
})
const sale = fieldsOf("a recent sale", sold)

/** The recent sales of a product. */
export const recentSales: ReadonlyArray<Fact> = [
  sale("", "soldAt", dateTime),
  sale("", "region", just("eu")),
  sale("", "price", money),
  sale("", "priceEur", money),
  sale("", "priceEur.currency", just("EUR")),
  sale("", "quantity", just(1)),
  sale("", "finish", just("Standard")),
  sale("", "condition", maybeNull(oneOf("LP", "HP"))),
  sale("", "language", just("en")),
  sale("", "graded", maybeNull(object)),
  fact(
    "GET /v1/products/{productId}/sales",
    "a price is as it was listed, and a cancelled or refunded sale is gone",
    async (world) => {
      assert.deepEqual(all(await sold(world), "*.price"), [
        { amount: 5, currency: "GBP" },
        { amount: 3, currency: "EUR" }
      ])
    }
  ),
  fact("GET /v1/products/{productId}/sales", "newest first", async ({ ask }) => {
    const times = all(await answered(ask(`GET /v1/products/${card.productId}/sales?limit=100`)), "data.*.soldAt").map(
      String
    )
    assert.ok(times.length > 10)
    assert.deepEqual(times, times.toSorted().toReversed())
  }),
  ...["condition=HP", "finish=Standard&condition=HP&language=en"].map((query) =>
    fact("GET /v1/products/{productId}/sales", `?${query} finds those sales alone`, async (world) => {
      await sold(world)
      const found = await answered(world.ask(`GET /v1/products/10013/sales?${query}`))
      assert.deepEqual(all(found, "data.*.condition"), ["HP"])
    })
  ),
  fact("GET /v1/products/{productId}/sales", "a sale is there for 30 days", async (world) => {
    const count = (await sold(world)).length
    assert.equal(count, 2)
    const left = async () => listAt(await answered(world.ask("GET /v1/products/10013/sales")), "data").length
    await world.wait(29 * 86_400)
    assert.equal(await left(), 2)
    await world.wait(2 * 86_400)
    assert.equal(await left(), 0)
  })
]
