import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { Money } from "../../../src/market/contract/Money.ts"
import { Metadata } from "../../../src/market/contract/orders/Metadata.ts"
import { nextStatuses, OrderStatus } from "../../../src/market/contract/orders/OrderStatus.ts"
import { moneyOf, centsOf } from "../../../src/market/state/cents.ts"

const isMoney = Schema.is(Money)

describe("money", () => {
  it("has at most two decimals and one of the five currencies", () => {
    for (const amount of [0, 0.01, 14.99, 14.9, 1e9])
      assert.isTrue(isMoney({ amount, currency: "USD" }), String(amount))
    for (const amount of [14.999, 0.001, -1, Number.NaN, "14.99"]) {
      assert.isFalse(isMoney({ amount, currency: "USD" }), String(amount))
    }
    for (const currency of ["EUR", "GBP", "CAD", "CHF"]) assert.isTrue(isMoney({ amount: 1, currency }))
    for (const currency of ["SEK", "eur", ""]) assert.isFalse(isMoney({ amount: 1, currency }))
  })

  it("comes back from cents as it was written", () => {
    const cents = fc.integer({ min: 0, max: 900_000_000_000 })
    fc.assert(
      fc.property(cents, (figure) => {
        const money = moneyOf(figure, "EUR")
        return isMoney(money) && centsOf(money.amount) === figure && money.amount === Number(`${figure}e-2`)
      })
    )
  })
})

describe("a metadata key", () => {
  it("is a letter, then letters, digits, _, . and -, 64 at most", () => {
    const isMetadata = Schema.is(Metadata)
    const isKey = (key: string) => isMetadata({ [key]: "x" })
    for (const key of ["a", "Z9", "a_b.c-d", `a${"1".repeat(63)}`]) assert.isTrue(isKey(key), key)
    for (const key of ["", "1a", "_a", "a b", "ä", `a${"1".repeat(64)}`]) assert.isFalse(isKey(key), key)
  })
})

describe("the states of an order", () => {
  it("are 15, of which nine are final", () => {
    const final = OrderStatus.literals.filter((status) => nextStatuses[status].length === 0)
    assert.deepStrictEqual([OrderStatus.literals.length, final.length], [15, 9])
  })
  it("can all be reached from a new order", () => {
    const reached = new Set<OrderStatus>(["pending_shipment"])
    for (const status of reached) for (const next of nextStatuses[status]) reached.add(next)
    assert.deepStrictEqual([...reached].sort(), [...OrderStatus.literals].sort())
  })
})
