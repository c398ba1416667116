import { assert, it } from "@effect/vitest"
import { moveKeys } from "../../../src/feed/contract/dialect/moveKeys.ts"

const moved = (text: string, moves: Readonly<Record<string, string>>): unknown => {
  const value: unknown = JSON.parse(text)
  moveKeys(
    value,
    Object.entries(moves).map(([to, from]) => ({ to: to.split("."), from: from.split(".") }))
  )
  return value
}

it("a value is put where it is expected, and what held it goes with it", () => {
  assert.deepStrictEqual(
    moved(`{"p":{"Foil":{"eur":{"low":1,"trend":{"value":2.5}}},"Standard":{"eur":{"low":3}}}}`, {
      "pricesByFinish.*.sourceEur": "p.*.eur",
      "a.b": "none"
    }),
    { pricesByFinish: { Foil: { sourceEur: { low: 1, trend: { value: 2.5 } } }, Standard: { sourceEur: { low: 3 } } } }
  )
  assert.deepStrictEqual(moved(`{"p":{"x":{"t":{"v":2.5},"low":1}}}`, { "p.*.value": "p.*.t.v" }), {
    p: { x: { low: 1, value: 2.5 } }
  })
})

it("two keys can change places", () => {
  assert.deepStrictEqual(moved(`{"low":1,"high":9}`, { low: "high", high: "low" }), { low: 9, high: 1 })
})

it("what was in the place stays in the record, under a key that nobody knows", () => {
  assert.deepStrictEqual(moved(`{"name":"of the shelf","title":"Ember"}`, { name: "title" }), {
    name: "Ember",
    "name as it came": "of the shelf"
  })
})

it("null is nothing that could be lost", () => {
  assert.deepStrictEqual(moved(`{"rarity":null,"attributes":{"rareness":"rare"}}`, { rarity: "attributes.rareness" }), {
    rarity: "rare"
  })
})

it("a key __proto__ is data", () => {
  const value = moved(`{"p":{"__proto__":{"eur":1}}}`, { "q.*.usd": "p.*.eur" }) as { q: object }
  assert.deepStrictEqual(Object.getOwnPropertyDescriptor(value.q, "__proto__")?.value, { usd: 1 })
  assert.strictEqual(Object.getPrototypeOf(value.q), Object.prototype)
})
