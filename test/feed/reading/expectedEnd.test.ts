import { assert, describe, it } from "@effect/vitest"
import { expectedEnd } from "../../../src/feed/reading/readRound.ts"

const end = (limitedMillis: number, passedMillis: number, pagesDone: number) =>
  expectedEnd({ millisFor: () => limitedMillis }, 0, passedMillis, {
    operation: "products",
    game: "fable",
    pagesDone,
    pagesTotal: 100
  })

describe("the expected end of a list of 100 pages", () => {
  it("follows from the pace so far", () => assert.strictEqual(end(0, 10_000, 10), "1970-01-01T00:01:40.000Z"))
  it("follows from the rate limit where that takes longer", () =>
    assert.strictEqual(end(600_000, 10_000, 10), "1970-01-01T00:10:10.000Z"))
  it("is not told after one second, when the pace means nothing yet", () => assert.isNull(end(0, 1000, 1)))
  it("is unknown before the first page, however long that takes", () => assert.isNull(end(0, 10_000, 0)))
  it("is not told when it is near, or past", () => {
    assert.isNull(end(0, 10_000, 60))
    assert.isNull(end(600_000, 10_000, 100))
  })
})
