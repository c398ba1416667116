import { assert, describe, it } from "@effect/vitest"
import { makeCensus } from "../../../src/feed/reading/census.ts"

const page = (offset: number, total: number, ids: ReadonlyArray<number>, hasMore = offset + 3 < total) => ({
  pagination: { offset, limit: 3, total, hasMore },
  received: ids.length,
  ids
})
const faults = (...pages: ReadonlyArray<ReturnType<typeof page>>) => {
  const census = makeCensus("the products", 3)
  for (const one of pages) {
    const fault = census.add(one)
    if (fault !== null) return [fault]
  }
  return census.close()
}

describe("a census", () => {
  it("adds up when every id is there once", () =>
    assert.deepStrictEqual(faults(page(0, 5, [5, 1, 2]), page(3, 5, [4, 3])), []))
  it("adds up for an empty list", () => assert.deepStrictEqual(faults(page(0, 0, [])), []))
  it("counts records without a usable id by their position", () => {
    assert.deepStrictEqual(faults(page(0, 3, [Number.NaN, Number.NaN, 1])), [])
  })
  it("names ids that come twice, with their offsets", () => {
    assert.deepStrictEqual(faults(page(0, 5, [7, 1, 2]), page(3, 5, [7, 3])), [
      "total 5 but 4 distinct in the products; twice: 7 (offsets 0, 3)"
    ])
  })
  it("names a page that is too short or too long", () => {
    assert.deepStrictEqual(faults(page(0, 5, [1, 2])), ["2 records instead of 3 in the products at offset 0"])
    assert.deepStrictEqual(faults(page(0, 1, [1, 2])), ["2 records instead of 1 in the products at offset 0"])
  })
  it("names a total that changes", () => {
    assert.deepStrictEqual(faults(page(0, 5, [1, 2, 3]), page(3, 6, [4, 5, 6])), [
      "total changed from 5 to 6 in the products at offset 3"
    ])
  })
  it("names a hasMore that contradicts the total", () => {
    assert.deepStrictEqual(faults(page(0, 3, [1, 2, 3], true)), [
      "hasMore is true past the total of 3 in the products at offset 0"
    ])
    assert.deepStrictEqual(faults(page(0, 5, [1, 2, 3], false)), [
      "hasMore is false before the total of 5 in the products at offset 0"
    ])
  })
  it("names a list whose last page never came", () => {
    assert.deepStrictEqual(faults(page(0, 5, [1, 2, 3])), ["total 5 but 3 records in the products"])
  })
  it("adds up for a hundred thousand ids", () => {
    const ids = Array.from({ length: 100_000 }, (_, id) => id)
    const census = makeCensus("the products", 100_000)
    census.add({ pagination: { offset: 0, limit: 100_000, total: 100_000, hasMore: false }, received: ids.length, ids })
    assert.deepStrictEqual(census.close(), [])
  })
})
