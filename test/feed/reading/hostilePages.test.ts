import { assert, describe } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import { listGames } from "../../../src/feed/reading/listGames.ts"
import { readRefusals } from "../../../src/feed/reading/readExtraction.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { against, type Asked, sendJson } from "../client/StrangeServer.ts"
import { emptyHome } from "../../store/lake/handMadeNights.ts"
import { serve } from "./feed.ts"
import { card } from "../rows/records.ts"
import { idOf } from "../../store/lake/invented.ts"
import { live } from "../../support/suite.ts"

const sendText = (response: ServerResponse, text: string) =>
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(gzipSync(text))

const zeros = (count: number) => `[${"0,".repeat(count - 1)}0]`
const page = (data: string, total: number) =>
  `{"data":${data},"pagination":{"offset":0,"limit":200,"total":${total},"hasMore":false}}`

const reading = Effect.gen(function* () {
  const folder = (yield* Home).raw("fable", idOf("r1"))
  const extraction = yield* extractGame({ gameId: "fable", runId: idOf("r1"), folder, previousDeploymentId: null })
  return { extraction, refusals: yield* Stream.runCollect(readRefusals(folder)) }
})
/** A marketplace that gives some requests an answer of the test's own. */
const bent = (isBent: (asked: Asked) => boolean, answer: (response: ServerResponse) => unknown, feed = {}) => {
  const answerRest = serve(feed)
  return against((asked, response) => (isBent(asked) ? answer(response) : answerRest(asked, response)), {
    timeoutMillis: 30_000
  })
}
const isProducts = ({ path }: Asked) => path === "/v1/products/search"

describe("a page that holds more than was asked for is broken", () => {
  live("201 products", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(reading)
      assert.strictEqual(error._tag, "PageBroken")
      assert.match(error.message, /201 records where 200 are allowed/)
    }).pipe(
      bent(isProducts, (response) => sendText(response, page(zeros(201), 201))),
      Effect.provide(emptyHome)
    )
  )
  live("a changelog that ignores the limit of 100", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(reading)
      assert.match(error.message, /300 records where 100 are allowed/)
    }).pipe(
      bent(
        ({ path, query }) => path.endsWith("/changelog") && query.get("limit") !== "1",
        (response) => sendText(response, `{"data":${zeros(300)},"pagination":{"nextCursor":null}}`)
      ),
      Effect.provide(emptyHome)
    )
  )
  live("1,001 games", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(listGames)
      assert.match(error.message, /1001 records where 1000 are allowed/)
    }).pipe(
      bent(
        ({ path }) => path === "/v1/games",
        (response) => sendText(response, `{"data":${zeros(1001)}}`)
      )
    )
  )
  live.full("2.5 million values, before they are parsed", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(reading)
      assert.match(error.message, /more than 2.4 million values on one page/)
    }).pipe(
      bent(isProducts, (response) => sendText(response, page(zeros(2_500_000), 200))),
      Effect.provide(emptyHome)
    )
  )
})

live("a list that claims more records than any list can have is not walked", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(reading)
    assert.strictEqual(error._tag, "PagingBroken")
    assert.match(error.message, /does not end: it claims to have 1000000000000000 records/)
  }).pipe(
    bent(isProducts, (response) => sendText(response, page(`[${JSON.stringify(card(1))}]`, 1e15))),
    Effect.provide(emptyHome)
  )
)

describe("of many refusals", () => {
  const count = 25_400
  live("all are counted, and the first 25,000 listed", () =>
    Effect.gen(function* () {
      const { extraction, refusals } = yield* reading
      assert.deepStrictEqual([extraction.refused, refusals.length], [count, 25_000])
      assert.deepStrictEqual(refusals.at(-1)?.page, "pages/products-000124.json.gz")
    }).pipe(
      bent(
        () => false,
        () => {},
        { products: () => Array.from({ length: count }, () => 0) }
      ),
      Effect.provide(emptyHome)
    )
  )
  live("a long one is cut, and says so", () =>
    Effect.gen(function* () {
      const { refusals } = yield* reading
      const [{ raw } = { raw: "" }] = refusals
      assert.match(raw, /^\{"id":1,.{999990,1000000} \.\.\. cut: the record has 30000\d\d characters/)
    }).pipe(
      bent(isProducts, (response) =>
        sendJson(response, JSON.parse(page(JSON.stringify([{ id: 1, x: "x".repeat(3_000_000) }]), 1)))
      ),
      Effect.provide(emptyHome)
    )
  )
})

describe("of many unknown keys", () => {
  const keys = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${from + index}`, 0]))

  live("a record with more than a thousand is refused, whether its kind is known or not", () =>
    Effect.gen(function* () {
      const { extraction, refusals } = yield* reading
      assert.strictEqual(extraction.products, 1)
      assert.deepStrictEqual(
        refusals.map(({ reason }) => reason),
        Array.from({ length: 2 }, () => "More than 1000 keys that the contract does not know")
      )
    }).pipe(
      bent(
        () => false,
        () => {},
        { products: () => [card(1, keys(0, 1000)), card(2, keys(0, 1001)), keys(0, 2001)] }
      ),
      Effect.provide(emptyHome)
    )
  )
  live("those beyond ten thousand are counted as one", () =>
    Effect.gen(function* () {
      const { extraction } = yield* reading
      const { unknownKeys } = extraction
      assert.deepStrictEqual(
        [unknownKeys.length, unknownKeys.at(-1)],
        [10_001, { kind: "products", path: "*", records: 1000 }]
      )
    }).pipe(
      bent(
        () => false,
        () => {},
        { products: () => Array.from({ length: 11 }, (_, at) => card(at, keys(1000 * at, 1000))) }
      ),
      Effect.provide(emptyHome)
    )
  )
})
