import { assert, it } from "@effect/vitest"
import type { Capture, CapturePart } from "../../../../src/feed/contract/Capture.ts"
import { proposeDialect } from "../../../../src/night/run/capture/proposeDialect.ts"

const captured = (bodies: { readonly [Part in CapturePart]?: string }): Capture => ({
  cardlakeCapture: 1,
  capturedAt: "2026-11-23T00:00:00.000Z",
  cardlakeVersion: "0.1.0",
  game: "fable",
  answers: Object.entries(bodies).map(([part, body]) => ({
    part: part as CapturePart,
    request: "GET /v1/x?limit=200",
    status: 200,
    headers: {},
    body,
    fault: null
  }))
})

it("finds a list, its paging, ids and feed files that are called otherwise", () => {
  const capture = captured({
    games: `{"items":[{"key":"fable","name":"Fable"}]}`,
    expansions: `{"items":[{"id":3,"gameId":"fable","slug":"a","name":"A","code":"A","languages":["en"]}],"paging":{"offset":0,"limit":200,"totalCount":1,"hasMore":false}}`,
    changelog: `{"items":[{"id":"dep_1","releasedAt":"2026-01-01T00:00:00.000Z","summary":{"products":{"added":0,"modified":0,"removed":0},"expansions":{"added":0,"modified":0,"removed":0}}}],"paging":{"nextCursor":null}}`,
    feeds: `{"catalog":{"feedType":"catalog","url":"https://files.example/a?<cut>","urlExpiresAt":"2026-01-01T00:00:00.000Z","sum":"${"ab".repeat(32)}","sizeBytes":9,"recordCount":1,"format":"ndjson","encoding":"gzip","lastRefreshedAt":"2026-01-01T00:00:00.000Z","generatedAt":"2026-01-01T00:00:00.000Z"},"expansions":null,"prices":null}`
  })
  const { moved } = proposeDialect(capture, "spec")
  assert.deepInclude(moved?.page, {
    data: "items",
    "pagination.total": "paging.totalCount",
    "pagination.offset": "paging.offset"
  })
  assert.deepStrictEqual(moved?.games, { id: "key" })
  assert.deepStrictEqual(moved?.changelog, { deployedAt: "releasedAt" })
  assert.deepStrictEqual(moved?.feeds, { "catalog.checksum": "catalog.sum" })
  assert.isUndefined(moved?.expansions)
})

it("finds a figure that is elsewhere where no page shows it, once one place does", () => {
  const card = (id: number) =>
    `{"id":${id},"gameId":"fable","game":{"id":"fable","name":"Fable"},"name":"A","nameSlug":"a","languages":[],"productType":"card","finishes":["Foil"],"attributes":{},"pricesByFinish":{"Foil":{"marketplace":{"low":{"amount":1,"currency":"EUR"},"listingCount":1,"availableQuantity":1,"regions":{"eu":{"currency":"EUR","cheapest":1.5,"listingCount":1,"availableQuantity":1}}}}}}`
  const page = (records: string, count: number) =>
    `{"data":[${records}],"pagination":{"offset":0,"limit":200,"total":${count},"hasMore":false}}`
  const { moved } = proposeDialect(captured({ products: page(`${card(1)},${card(2)}`, 2) }), "spec")
  assert.deepInclude(moved?.products, {
    "pricesByFinish.*.*.regions.*.low": "pricesByFinish.*.*.regions.*.cheapest",
    "prices.*.byCondition.*.low": "prices.*.byCondition.*.cheapest",
    "pricesByFinish.*.*.byCondition.*.byLanguage.*.low": "pricesByFinish.*.*.byCondition.*.byLanguage.*.cheapest"
  })
})

it("tells figures from percentages, and numbers of printings from rarities", () => {
  const card = (id: number) =>
    `{"id":${id},"gameId":"fable","game":{"id":"fable","name":"Fable"},"name":"A","nameSlug":"a","languages":[],"productType":"card","finishes":["Foil"],"attributes":{},"no":"00${id}/20","tier":"Rare","variant":"Full","pricesByFinish":{"Foil":{"sourceUsd":{"currency":"USD","low":1,"mid":2,"high":3,"fair":{"amount":2.5}}}}}`
  const page = `{"data":[${card(1)},${card(2)}],"pagination":{"offset":0,"limit":200,"total":2,"hasMore":false}}`
  assert.deepStrictEqual(proposeDialect(captured({ products: page }), "spec").moved?.products, {
    "pricesByFinish.*.*.marketValue": "pricesByFinish.*.*.fair.amount",
    "prices.*.marketValue": "prices.*.fair.amount",
    printNumber: "no",
    rarity: "tier"
  })
})

it("proposes nothing for a service that speaks as it is expected to, and takes no odd key for another", () => {
  const capture = captured({ games: `{"data":[{"id":"fable","name":"Fable","mood":"dark"}]}` })
  assert.deepStrictEqual(proposeDialect(capture, "live"), { name: "mine", like: "live" })
})
