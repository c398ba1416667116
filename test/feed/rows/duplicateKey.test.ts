import { assert, describe, it } from "@effect/vitest"
import { dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import * as fc from "fast-check"
import { acceptPage } from "../../../src/feed/rows/acceptPage.ts"
import { duplicateKey } from "../../../src/feed/contract/jsonSpans.ts"
import { mayLoseOnParse } from "../../../src/feed/rows/mayLoseOnParse.ts"
import { recordRules } from "../../../src/feed/rows/recordRules.ts"
import { card } from "./records.ts"

const accept = (text: string) => {
  const ids: Array<unknown> = []
  const page = { text, plain: Buffer.from(text), data: JSON.parse(text).data }
  return { ids, ...acceptPage(recordRules(dialects.spec).products, "fable", page, ({ id }) => ids.push(id)) }
}
const page = (first: string, ...others: ReadonlyArray<string>) => `{"data":[${[first, ...others].join(",")}]}`
const good = JSON.stringify(card(2))

describe("a duplicate key in an object", () => {
  const priced = JSON.stringify(card(1, { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 1 } } } }))
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ["a field", priced.replace('"languages"', '"languages":null,"languages"'), "languages"],
    ["a price", priced.replace('"low":1', '"low":1,"low":2'), "pricesByFinish.Foil.sourceEur.low"],
    ["the same value", priced.replace('"low":1', '"low":1,"low":1'), "pricesByFinish.Foil.sourceEur.low"],
    ["a finish", priced.replace('{"Foil"', '{"Foil":{},"Foil"'), "pricesByFinish.Foil"],
    ["an attribute", priced.replace('"attributes":{}', '"attributes":{"a":[{"b":1,"b":2}]}'), "attributes.a.0.b"],
    ["an escaped key", priced.replace('"languages"', String.raw`"l\u0061nguages":null,"languages"`), "languages"]
  ]
  for (const [what, record, path] of cases) {
    it(`refuses its record, not the others: ${what}`, () => {
      const { ids, refusals } = accept(page(good, record, good))
      assert.deepStrictEqual(
        refusals.map((refusal) => [refusal.index, refusal.path, refusal.raw]),
        [[1, path, record]]
      )
      assert.deepStrictEqual(ids, [2, 2])
    })
  }
  it("is not reported for a text that looks like a key", () => {
    const text = page(JSON.stringify(card(1, { name: 'a "quoted": name', attributes: { 'x":': '":' } })), good)
    assert.deepStrictEqual([accept(text).accepted, accept(text).refusals], [2, []])
  })
  it("is not reported for blanks before colons", () => {
    const text = page(good).replaceAll('":', '" :')
    assert.deepStrictEqual([accept(text).accepted, accept(text).refusals], [1, []])
  })
})

describe("laws", () => {
  const json = fc.array(fc.jsonValue(), { maxLength: 20 })
  it("a text that JSON.stringify wrote has no key twice", () => {
    fc.assert(
      fc.property(json, (data) => {
        assert.isNull(duplicateKey(JSON.stringify({ data })))
      })
    )
  })
  it("the quick check never overlooks a duplicate key, wherever it is", () => {
    const key = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("", "__proto__", "a\\", 'a"'))
    fc.assert(
      fc.property(json, key, fc.jsonValue(), fc.jsonValue(), (data, key, first, second) => {
        const name = JSON.stringify(key)
        const twice = `{${name}:${JSON.stringify(first)},"between":{},${name} :${JSON.stringify(second)}}`
        assert.isTrue(
          mayLoseOnParse(Buffer.from(`${JSON.stringify(data).slice(0, -1)}${data.length > 0 ? "," : ""}${twice}]`))
        )
      }),
      { numRuns: 1000 }
    )
  })
  it("the quick check raises no alarm over a page as the marketplace writes it", () => {
    const pages = [
      page(good),
      page(good, JSON.stringify(card(3, { attributes: { a: { b: 1 }, c: [{ b: 1 }, { b: 2 }] } })))
    ]
    assert.deepStrictEqual(
      pages.filter((text) => mayLoseOnParse(Buffer.from(text))),
      []
    )
  })
})
