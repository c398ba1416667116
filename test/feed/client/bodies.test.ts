import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { ServerResponse } from "node:http"
import { gunzipSync, gzipSync } from "node:zlib"
import { offsetPage } from "../../../src/feed/client/offsetPages.ts"
import { against, sendJson, StrangeServer } from "./StrangeServer.ts"
import { live } from "../../support/suite.ts"

const products = offsetPage("products", "fable", 0)
const page = { data: [{ id: 1 }], pagination: { offset: 0, limit: 200, total: 1, hasMore: false } }
const send =
  (body: string | Buffer, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, headers).end(body)
const gzip = { "content-encoding": "gzip" }
const zipped = gzipSync(JSON.stringify(page))

describe("a 200 that is not the page", () => {
  const cases = [
    {
      what: "an HTML page",
      answer: send("<!doctype html><p>Bad gateway"),
      tag: "NotMarketplace",
      says: /it answers HTML/
    },
    { what: "other JSON", answer: send('{"ok":true}'), tag: "NotMarketplace", says: /not a page of an offset list/ },
    { what: "nothing", answer: send(""), tag: "PageBroken", says: /an empty body/ },
    { what: "cut JSON", answer: send('{"data":[{"id":'), tag: "PageBroken", says: /truncated JSON/ },
    { what: "cut gzip", answer: send(zipped.subarray(0, 30), gzip), tag: "PageBroken", says: /truncated gzip/ },
    { what: "no gzip", answer: send("not gzip", gzip), tag: "PageBroken", says: /invalid gzip/ },
    {
      what: "spoilt gzip",
      answer: send(Buffer.concat([zipped.subarray(0, 12), Buffer.alloc(40, 7)]), gzip),
      tag: "PageBroken",
      says: /invalid gzip/
    },
    {
      what: "an unknown encoding",
      answer: send("x", { "content-encoding": "br" }),
      tag: "PageBroken",
      says: /encoding br/
    },
    { what: "no UTF-8", answer: send(Buffer.from([0x7b, 0xff, 0x7d])), tag: "PageBroken", says: /not UTF-8/ },
    {
      what: "another page",
      answer: send(JSON.stringify({ ...page, pagination: { ...page.pagination, offset: 200 } })),
      tag: "PageBroken",
      says: /the page at offset 200/
    }
  ]
  for (const { answer, says, tag, what } of cases) {
    live(`${what} is tried again, then ends as ${tag}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(products)
        assert.strictEqual(error._tag, tag)
        assert.match(error.message, says)
        assert.match(error.message, /5 attempts/)
        assert.strictEqual((yield* StrangeServer).asked.length, 5)
      }).pipe(against((_, response) => answer(response)))
    )
    live(`${what} does no harm if it comes only once`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* products).data, page.data)
      }).pipe(against(({ count }, response) => (count === 0 ? answer(response) : sendJson(response, page))))
    )
  }
})

describe("a page", () => {
  live("keeps its gzip bytes as they came", () =>
    Effect.gen(function* () {
      const { bytes, gzip: isGzip, text } = yield* products
      assert.isTrue(isGzip)
      assert.deepStrictEqual(Buffer.from(bytes), zipped)
      assert.strictEqual(gunzipSync(bytes).toString(), text)
    }).pipe(against((_, response) => send(zipped, gzip)(response)))
  )

  live("may come without compression", () =>
    Effect.gen(function* () {
      const { gzip: isGzip, text } = yield* products
      assert.isFalse(isGzip)
      assert.strictEqual(text, JSON.stringify(page))
    }).pipe(against((_, response) => send(JSON.stringify(page))(response)))
  )

  live("is asked for with paging in query and body, its game, an explicit order and gzip", () =>
    Effect.gen(function* () {
      const { request } = yield* products
      const [asked] = (yield* StrangeServer).asked
      assert.strictEqual(asked?.query.get("limit"), "200")
      const body = { limit: 200, offset: 0, gameFilters: { game: "fable" }, sortBy: "name", sortDirection: "asc" }
      assert.deepStrictEqual(JSON.parse(asked?.body ?? ""), body)
      assert.strictEqual(asked?.headers["accept-encoding"], "gzip")
      assert.strictEqual(request, `POST /v1/products/search?limit=200&offset=0 ${JSON.stringify(body)}`)
    }).pipe(against((_, response) => sendJson(response, page)))
  )
})
