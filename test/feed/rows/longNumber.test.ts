import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { mayLoseOnParse } from "../../../src/feed/rows/mayLoseOnParse.ts"
import { exactRecord } from "../../../src/feed/rows/exactRecord.ts"

const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 24 }).map((list) => list.join(""))
const number = fc
  .tuple(fc.boolean(), digits, fc.option(digits), fc.option(fc.integer({ min: -30, max: 30 })))
  .map(([minus, whole, places, exponent]) =>
    [
      minus ? "-" : "",
      whole.replace(/^0+(?=\d)/, ""),
      places === null ? "" : `.${places}`,
      exponent === null ? "" : `e${exponent}`
    ].join("")
  )

const isChanged = (json: string): boolean =>
  JSON.stringify(exactRecord(json), (_, value: unknown) => (typeof value === "symbol" ? "changed" : value)).includes(
    '"changed"'
  )

describe("numbers that a double would change", () => {
  it("are never overlooked by the quick check, wherever they stand", () => {
    fc.assert(
      fc.property(number, fc.string({ maxLength: 20 }), (source, before) => {
        const json = `{"a":${JSON.stringify(before)},"n":[${source}]}`
        const isInteger = /^-?\d+$/.test(source)
        // The Schema judges integers of 16 digits: an unsafe one cannot be an id, a count or a price.
        if (isInteger && source.replace("-", "").length <= 16) return true
        return !isChanged(json) || mayLoseOnParse(Buffer.from(json))
      }),
      { numRuns: 2000 }
    )
  })
  it("include no number that JSON.stringify wrote", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (value) => !isChanged(`[${JSON.stringify(value)}]`)
      ),
      { numRuns: 2000 }
    )
  })
  for (const source of [
    "0.1",
    "1.50",
    "-0",
    "0e5",
    "1E3",
    "100000000000000000000",
    "0.30000000000000004",
    "123456.7800000000000"
  ]) {
    it(`do not include ${source}`, () => assert.isFalse(isChanged(`[${source}]`)))
  }
  for (const source of [
    "0.10000000000000000001",
    "9007199254740993",
    "1e400",
    "0.1000000000000000055511151231257827"
  ]) {
    it(`include ${source}`, () => assert.isTrue(isChanged(`{"a":[${source}]}`)))
  }
  it("are not suspected in ids of 16 digits, dates and UUIDs", () => {
    const json = JSON.stringify({
      id: 9007199254740991,
      at: "2026-01-01T00:00:00.000000Z",
      uuid: "1542c152-6449-44c1-8c18-3dcc820f6449"
    })
    assert.isFalse(mayLoseOnParse(Buffer.from(json)))
  })
})
