import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { clientOf, control } from "../Trader.ts"
import { sampleFolder, Served } from "../Served.ts"

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

layer(Served.layer({ live: "last", filling }))("a filled market", (it) => {
  it.effect("has the accounts, stock for sale and orders in many states", () =>
    Effect.gen(function* () {
      const { accounts, lines, orders } = yield* shown
      assert.strictEqual(accounts.filter(({ seller }) => seller !== null).length, 4)
      assert.strictEqual(accounts.length, 1 + filling.accounts)
      assert.strictEqual(orders.length, filling.orders)
      assert.isAbove(new Set(orders.map(({ status }) => status)).size, 5)
      assert.isAbove(lines.filter(({ forSale }) => forSale).length, 10)
      assert.isAbove(lines.filter(({ forSale }) => !forSale).length, 1)
    })
  )

  it.effect("has sellers whom buyers rated", () =>
    Effect.gen(function* () {
      const buyer = yield* clientOf("cl_sandbox_7_buyer-1")
      const { data } = yield* buyer.purchases.purchases({ query: { limit: 100 } })
      const rated = data.flatMap(({ seller: { rating } }) => (rating.count === 0 ? [] : [rating.average ?? 0]))
      assert.isNotEmpty(rated)
      assert.isTrue(rated.every((average) => average >= 1 && average <= 5))
    })
  )

  it.effect("is the same for the same seed, and another for another seed", () =>
    Effect.gen(function* () {
      const orders = Effect.flatMap(control, ({ controlOrders }) => controlOrders.orders({ query: { limit: 1000 } }))
      const totals = Effect.map(orders, ({ data }) => data.map(({ total }) => total))
      const elsewhere = <A, E, R>(seed: number, ask: Effect.Effect<A, E, R>) =>
        Effect.flatMap(
          serveSandbox({ catalogue: sampleFolder, live: "last", filling: { ...filling, seed } }),
          (served) => Effect.provideService(ask, Served, served)
        )
      assert.deepStrictEqual(yield* elsewhere(7, shown), yield* shown)
      assert.notDeepEqual(yield* elsewhere(8, totals), yield* totals)
    })
  )
})
