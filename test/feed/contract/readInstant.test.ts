import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { readFeedFiles } from "../../../src/feed/client/feedFiles.ts"
import { readInstant } from "../../../src/feed/contract/Catalogue.ts"

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
  const said = Result.getOrThrow(read)
  assert.deepStrictEqual(
    [said?.catalog.lastRefreshedAt, said?.expansions.lastRefreshedAt],
    ["2016-12-31T23:59:59Z", "9999-12-31T23:59:59.999Z"]
  )
})
