import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { acceptPage } from "../../src/extract/acceptPage.ts"
import { duplicateKey } from "../../src/extract/duplicateKey.ts"
import { countKeys } from "../../src/extract/keyCounter.ts"
import { scanPage } from "../../src/extract/pageScan.ts"
import { recordRules } from "../../src/extract/recordRules.ts"
import { card } from "./records.ts"

const accept = (text: string) =>
  acceptPage(recordRules.products, "fable", { text, plain: Buffer.from(text), data: JSON.parse(text).data })
const page = (first: string, ...others: ReadonlyArray<string>) => `{"data":[${[first, ...others].join(",")}]}`
const good = JSON.stringify(card(2))

describe("a key that stands twice in its object", () => {
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
      const { accepted, derived, refusals } = accept(page(good, record, good))
      assert.deepStrictEqual(
        refusals.map((refusal) => [refusal.index, refusal.path, refusal.raw]),
        [[1, path, record]]
      )
      assert.strictEqual(accepted, 2)
      assert.strictEqual(derived, page(good, good))
    })
  }
  it("is none where a text looks like a key", () => {
    const text = page(JSON.stringify(card(1, { name: 'a "quoted": name', attributes: { 'x":': '":' } })), good)
    assert.deepStrictEqual([accept(text).accepted, accept(text).refusals], [2, []])
  })
  it("is none where blanks stand before colons", () => {
    const text = page(good).replaceAll('":', '" :')
    assert.deepStrictEqual([accept(text).accepted, accept(text).refusals], [1, []])
  })
})

describe("laws", () => {
  const json = fc.array(fc.jsonValue(), { maxLength: 20 })
  it("a text that JSON.stringify wrote has no key twice, at any place in memory", () => {
    fc.assert(
      fc.property(json, fc.nat(7), (data, offset) => {
        const text = JSON.stringify({ data })
        const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).subarray(offset)
        assert.isNull(duplicateKey(text))
        assert.isAtLeast(scanPage(bytes).keys, countKeys(data))
        if (!/\\":|[[{,:]":/.test(text)) assert.strictEqual(scanPage(bytes).keys, countKeys(data))
      })
    )
  })
})
