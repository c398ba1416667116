import { assert, describe, it } from "@effect/vitest"
import { array, assert as holds, integer, property } from "fast-check"
import { boundBytes } from "../../src/warehouse/formats/iceberg/columnMaps.ts"

/** Any code point except surrogates. */
const letter = integer({ min: 0, max: 0x10ffff - 0x800 }).map((code) => (code < 0xd800 ? code : code + 0x800))

describe("a bound of a column", () => {
  it("of texts is short, never above the least and never below the greatest", () => {
    holds(
      property(array(letter, { maxLength: 40 }), (codes) => {
        const text = String.fromCodePoint(...codes)
        const bytes = Buffer.from(text)
        const lower = boundBytes("VARCHAR", "lower", text)
        const upper = boundBytes("VARCHAR", "upper", text)
        assert.isTrue(lower !== null && Buffer.compare(lower, bytes) <= 0 && lower.length <= 64)
        assert.isTrue(upper === null || (Buffer.compare(upper, bytes) >= 0 && upper.length <= 64))
      })
    )
    assert.isNull(boundBytes("VARCHAR", "upper", "\u{10ffff}".repeat(20)))
  })

  it("of a decimal is its digits, the highest byte first, in as few bytes as hold them", () => {
    const bound = (digits: string) => boundBytes("DECIMAL(18,4)", "lower", digits)?.toString("hex")
    assert.deepStrictEqual(["0", "127", "128", "-128", "-129", "1425", "-9223372036854775808"].map(bound), [
      "00",
      "7f",
      "0080",
      "80",
      "ff7f",
      "0591",
      "8000000000000000"
    ])
  })

  it("of numbers and times has the lowest byte first", () => {
    assert.strictEqual(boundBytes("INT32", "lower", "-2")?.toString("hex"), "feffffff")
    assert.strictEqual(boundBytes("INT64", "upper", "258")?.toString("hex"), "0201000000000000")
    assert.strictEqual(boundBytes("DATE", "upper", "17501")?.toString("hex"), "5d440000")
    assert.strictEqual(boundBytes("BOOLEAN", "upper", "1")?.toString("hex"), "01")
  })
})
