import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { CatalogId, Instant, readInstant } from "../../../src/feed/contract/Catalogue.ts"
import { Percent, Price } from "../../../src/feed/contract/Prices.ts"
import { readFeedFiles } from "../../../src/feed/client/otherCalls.ts"

const isPrice = Schema.is(Price)
const isPercent = Schema.is(Percent)
const isId = Schema.is(CatalogId)
const isInstant = Schema.is(Instant)

describe("a price", () => {
  it("is any decimal of up to four places from 0 to nine billion", () => {
    const figures = fc.bigInt({ min: 0n, max: 9_000_000_000_0000n })
    fc.assert(fc.property(figures, (tenThousandths) => isPrice(Number(`${tenThousandths}e-4`))))
  })

  it("has no fifth decimal place", () => {
    const figures = fc.bigInt({ min: 1n, max: 900_000_000_00000n }).filter((figure) => figure % 10n !== 0n)
    fc.assert(fc.property(figures, (figure) => !isPrice(Number(`${figure}e-5`))))
  })

  it("is never below 0, above nine billion or anything but a number", () => {
    for (const value of [-0.01, 9_000_000_000.0001, 9_000_000_001, Number.NaN, Infinity, "14.99", null, [], true]) {
      assert.isFalse(isPrice(value), String(value))
    }
  })
})

describe("a percentage", () => {
  it("may be negative or very large, as for a card that rose a hundredfold", () => {
    for (const value of [-99.9999, 0, 5, 10_900, 99_999_999]) assert.isTrue(isPercent(value), String(value))
  })
  it("is not money: it may have any digits, but must be a number", () => {
    for (const value of [100_000_000, 1e300, 100 / 3]) assert.isTrue(isPercent(value), String(value))
    for (const value of ["5", Number.NaN, Infinity, true]) assert.isFalse(isPercent(value), String(value))
  })
})

describe("an id", () => {
  it("is an integer that a number carries exactly", () => {
    for (const value of [0, 1, -1, 2 ** 53 - 1, -(2 ** 53 - 1)]) assert.isTrue(isId(value), String(value))
    for (const value of [2 ** 53, 1.5, "1", null, Number.NaN]) assert.isFalse(isId(value), String(value))
  })
})

describe("an instant", () => {
  it("is a day and a time that exist, with their zone", () => {
    for (const text of ["2024-02-29T00:00:00.000Z", "2024-12-31T23:59:59Z", "2024-03-01T12:00:00.123456+02:00"]) {
      assert.isTrue(isInstant(text), text)
    }
    for (const text of ["2023-02-29T00:00:00Z", "2024-03-01", "2024-03-01T00:00:00", "nullT00:00:00.000Z", "", "now"]) {
      assert.isFalse(isInstant(text), text)
    }
  })
})

it("an instant of a leap second is the second before, and one that cannot be stored is none", () => {
  assert.deepStrictEqual(
    [
      "2016-12-31T23:59:60Z",
      "2016-12-31T23:59:60.5+00:00",
      "10000-01-01T00:00:00Z",
      "2026-02-30T00:00:00Z",
      "soon"
    ].map(readInstant),
    ["2016-12-31T23:59:59Z", "2016-12-31T23:59:59.5+00:00", null, null, null]
  )
})

it("feed files are understood whatever instants they are said to be of", () => {
  const feed = (at: string) => ({
    url: "http://127.0.0.1/a",
    checksum: "0".repeat(64),
    sizeBytes: 1,
    recordCount: 1,
    lastRefreshedAt: at,
    generatedAt: at
  })
  const read = readFeedFiles({
    catalog: feed("2016-12-31T23:59:60Z"),
    expansions: feed("10000-01-01T00:00:00Z"),
    prices: feed("2026-01-01T00:00:00Z")
  })
  const feeds = Result.getOrThrow(read)
  assert.deepStrictEqual(
    [feeds?.catalog.lastRefreshedAt, feeds?.expansions.lastRefreshedAt],
    ["2016-12-31T23:59:59Z", "9999-12-31T23:59:59.999Z"]
  )
})
