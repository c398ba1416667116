import { assert, describe, it } from "@effect/vitest"
import { dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import * as fc from "fast-check"
import { acceptPage } from "../../../src/feed/rows/acceptPage.ts"
import { recordRules } from "../../../src/feed/rows/recordRules.ts"
import { card } from "./records.ts"

const acceptText = (text: string) => {
  const taken: Array<unknown> = []
  const page = { text, plain: Buffer.from(text), data: JSON.parse(text).data }
  const { refusals } = acceptPage(recordRules(dialects.spec).products, "fable", page, (record) => taken.push(record))
  return { refusals, taken: JSON.stringify(taken) }
}
const accept = (records: ReadonlyArray<unknown>) => acceptText(JSON.stringify({ data: records }))

describe("keys with escapes", () => {
  const letters = fc.constantFrom("\\", "\t", "\n", '"', "t", "n", "u", "0", "\u0001", "\uE000", "é")
  const key = fc.string({ unit: letters, maxLength: 3 })
  const value = fc.oneof(fc.integer(), fc.constant(null), fc.dictionary(key, fc.integer(), { maxKeys: 3 }))
  const attributes = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true })

  it("are read as they were written, whatever keys came before them", () => {
    const records = ["\\", "\t"].map((last, index) => card(index + 1, { attributes: { k: 1, [last]: index } }))
    for (let round = 0; round < 2; round++) {
      assert.strictEqual(accept(records).taken, JSON.stringify(records))
    }
  })

  it("stay in their order, at every depth, in any records", () =>
    fc.assert(
      fc.property(fc.array(attributes, { minLength: 1, maxLength: 4 }), (all) => {
        const records = all.map((attributes, index) => card(index + 1, { attributes }))
        assert.strictEqual(accept(records).taken, JSON.stringify(records))
      }),
      { numRuns: 300 }
    ))

  it("are refused for an unpaired surrogate, whatever keys came before them", () => {
    const text = (key: string) =>
      JSON.stringify({ data: [card(1, { attributes: { half: 1, "@": 2 } })] }).replace("@", key)
    assert.deepStrictEqual(acceptText(text(String.raw`\\`)).refusals, [])
    assert.match(acceptText(text(String.raw`\ud800`)).refusals[0]?.reason ?? "", /Unpaired surrogate in key/)
  })
})
