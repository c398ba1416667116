import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { recordTexts } from "../../../src/feed/rows/acceptPage.ts"

describe("recordTexts", () => {
  it("gives back every record of any page, however it is laid out", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (data, other, indent) => {
        const sent = JSON.parse(JSON.stringify({ before: [other, { data: [1] }], data, pagination: other }))
        const texts = recordTexts(JSON.stringify(sent, null, indent))
        assert.deepStrictEqual(
          texts.map((text) => JSON.parse(text)),
          sent.data
        )
      }),
      { numRuns: 500 }
    )
  })
  it("keeps digits, escapes and duplicate keys", () => {
    const text = String.raw`{"data": [ {"a":1.500,"a":"\"\u0041]},"} , -0 ,[]]}`
    assert.deepStrictEqual(recordTexts(text), [String.raw`{"a":1.500,"a":"\"\u0041]},"}`, "-0", "[]"])
  })
  it("takes the last `data`, as JSON.parse does, even if its key is escaped", () => {
    assert.deepStrictEqual(recordTexts(String.raw`{"data":[1],"d\u0061ta":[2,3]}`), ["2", "3"])
  })
})
