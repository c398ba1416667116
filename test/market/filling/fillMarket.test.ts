import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { clientOf, control, sampleFolder, Served } from "../Served.ts"
import { statuses } from "../facts/world/orders.ts"
import { suite, values } from "../../support/sandbox.ts"

const filling = { seed: 7, accounts: 8, orders: 60 }

/** What a filled market shows to everybody and to one seller. */
const shown = Effect.gen(function* () {
  const { controlAccounts, controlOrders } = yield* control
  const { data: accounts } = yield* controlAccounts.accounts({})
  const { data: orders } = yield* controlOrders.orders({ query: { limit: 1000 } })
  const seller = yield* clientOf("cl_sandbox_7_seller-1")
  const { data: lines } = yield* seller.inventory.lines({ query: { limit: 100 } })
  return {
    accounts,
    orders: orders.map(({ placedAt: _at, ...order }) => order),
    lines: lines.map(({ updatedAt: _at, ...line }) => line)
  }
})

const states = statuses.toSorted()
const dayMillis = 86_400_000
const ascending = (instants: ReadonlyArray<string | null>) => {
  const known = instants.filter((at) => at !== null)
  assert.deepEqual(known, known.toSorted())
}

suite(Served.layer({ filling: { seed: 1, accounts: 6, orders: 48 } }))(
  "the market that cardlake sandbox begins with",
  (it) => {
    it("lets one seller and one buyer meet an order in every state", function* () {
      const seller = yield* clientOf("cl_sandbox_1_seller-1")
      const buyer = yield* clientOf("cl_sandbox_1_buyer-1")
      const sales = yield* seller.sales.sales({ query: { limit: 100 } })
      const purchases = yield* buyer.purchases.purchases({ query: { limit: 100 } })
      assert.deepEqual([...new Set(values(sales.data, "status"))].toSorted(), states)
      assert.deepEqual([...new Set(values(purchases.data, "status"))].toSorted(), states)
    })

    it("has orders of ninety days, each with its history in order and none of it in the future", function* () {
      const seller = yield* clientOf("cl_sandbox_1_seller-1")
      const { controlClock, controlEvents } = yield* control
      const { now } = yield* controlClock.clock({})
      const { data } = yield* seller.sales.sales({ query: { limit: 100 } })
      const ages = data.map(({ placedAt }) => (Date.parse(now) - Date.parse(placedAt)) / dayMillis)
      assert.isAbove(Math.max(...ages), 80)
      assert.isAtMost(Math.max(...ages), 90)
      assert.isBelow(Math.min(...ages), 1)
      ascending(data.map(({ placedAt }) => placedAt).toReversed())
      for (const sale of data) ascending([sale.placedAt, sale.shippedAt, sale.deliveredAt, sale.updatedAt, now])
      const events = yield* controlEvents.events({ query: {} })
      ascending([...events.data.map(({ event }) => event.timestamp), now])
    })

    it("has stock with slabs, labels and comments", function* () {
      const { inventory } = yield* clientOf("cl_sandbox_1_seller-1")
      const { data } = yield* inventory.lines({ query: { limit: 100 } })
      for (const has of [
        data.some(({ graded }) => graded !== null),
        data.some(({ location, tags }) => location !== null && tags.length > 0),
        data.some(({ comment }) => comment !== null)
      ]) {
        assert.isTrue(has)
      }
    })
  }
)

suite(Served.layer({ live: "last", filling }))("a filled market", (it) => {
  it("has the accounts, stock for sale and orders in many states", function* () {
    const { accounts, lines, orders } = yield* shown
    assert.strictEqual(accounts.filter(({ seller }) => seller !== null).length, 4)
    assert.strictEqual(accounts.length, 1 + filling.accounts)
    assert.strictEqual(orders.length, filling.orders)
    assert.isAbove(new Set(orders.map(({ status }) => status)).size, 5)
    assert.isAbove(lines.filter(({ forSale }) => forSale).length, 10)
    assert.isAbove(lines.filter(({ forSale }) => !forSale).length, 1)
  })

  it("has sellers whom buyers rated", function* () {
    const buyer = yield* clientOf("cl_sandbox_7_buyer-1")
    const { data } = yield* buyer.purchases.purchases({ query: { limit: 100 } })
    const rated = data.flatMap(({ seller: { rating } }) => (rating.count === 0 ? [] : [rating.average ?? 0]))
    assert.isNotEmpty(rated)
    assert.isTrue(rated.every((average) => average >= 1 && average <= 5))
  })

  it("is the same for the same seed, and another for another seed", function* () {
    const orders = Effect.flatMap(control, ({ controlOrders }) => controlOrders.orders({ query: { limit: 1000 } }))
    const totals = Effect.map(orders, ({ data }) => data.map(({ total }) => total))
    const elsewhere = <A, E, R>(seed: number, ask: Effect.Effect<A, E, R>) =>
      Effect.flatMap(serveSandbox({ catalogue: sampleFolder, live: "last", filling: { ...filling, seed } }), (served) =>
        Effect.provideService(ask, Served, served)
      )
    assert.deepEqual(yield* elsewhere(7, shown), yield* shown)
    assert.notDeepEqual(yield* elsewhere(8, totals), yield* totals)
  })
})
