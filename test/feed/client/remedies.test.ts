import { assert, describe, it } from "@effect/vitest"
import type { Result } from "effect"
import { readFeedFiles } from "../../../src/feed/client/otherCalls.ts"
import { RequestRefused } from "../../../src/feed/client/MarketplaceError.ts"
import { readCursorPage, readOffsetPage } from "../../../src/feed/client/pageCalls.ts"

const cursor = readCursorPage(100)
const offset = readOffsetPage(0)
const numbers = { offset: 0, limit: 200, total: 0, hasMore: false }
const feed = {
  url: "http://127.0.0.1/a",
  checksum: "0".repeat(64),
  sizeBytes: 1,
  recordCount: 1,
  lastRefreshedAt: "2026-01-01T00:00:00.000Z",
  generatedAt: "2026-01-01T00:00:00.000Z"
}
const { url: _, ...withoutUrl } = feed
const feeds = (catalog: unknown) => readFeedFiles({ catalog, expansions: feed, prices: feed })

describe("an answer that is not the marketplace's", () => {
  const missing = [
    ["a cursor page without data", cursor({ items: [], pagination: { nextCursor: null } })],
    ["one with its data deeper", cursor({ data: { items: [] }, pagination: { nextCursor: null } })],
    ["one without a cursor", cursor({ data: [], pagination: { next: null } })],
    ["an offset page without a total", offset({ data: [], pagination: { ...numbers, total: undefined } })],
    ["a feed file without its link", feeds(withoutUrl)]
  ] as const
  const wrong = [
    ["a cursor page with null as data", cursor({ data: null, pagination: { nextCursor: null } })],
    ["one with a number as cursor", cursor({ data: [], pagination: { nextCursor: 7 } })],
    ["one with null as pagination", cursor({ data: [], pagination: null })],
    ["an offset page with null as data", offset({ data: null, pagination: numbers })],
    ["one with a total below 0", offset({ data: [], pagination: { ...numbers, total: -1 } })],
    ["a list", offset([])],
    ["a feed file with null as link", feeds({ ...feed, url: null })],
    ["one with a checksum that is none", feeds({ ...feed, checksum: "abc" })]
  ] as const
  for (const [remedy, cases] of [["dialect", missing] as const, ["marketplace", wrong] as const])
    for (const [what, read] of cases)
      it(`can be corrected by the ${remedy}: ${what}`, () => {
        const { failure } = read as Result.Failure<never, unknown>
        assert.deepInclude(failure, { remedy })
      })
})

it("a refused request leads to a dialect file only where that can change it: the size of a page", () => {
  const leads = (status: number, request: string) =>
    /mapping file/.test(new RequestRefused({ request, requestId: null, status, code: "BAD", detail: "no" }).message)
  const page = "POST /v1/products/search?limit=200&offset=0"
  assert.deepStrictEqual(
    [leads(400, page), leads(422, page), leads(402, page), leads(410, page), leads(400, "GET /v1/account/me")],
    [true, true, false, false, false]
  )
})
