import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultySandbox, productsAt } from "../FaultySandbox.ts"
import { ask, type Body, search, Served } from "../Served.ts"
import { hasSpecWord, inSpecWords } from "./pageTexts.ts"

const idsOf = ({ data }: Body) => data.map(({ id }) => id)
const many = (length: number) => Array.from({ length }, (_, at) => 200_000 + at)

layer(Served.layer({ dialect: "live" }))("in the live dialect", (it) => {
  for (const [filter, other, id] of [
    ["cardmarketId", "sourceEur", 200_000],
    ["tcgplayerId", "sourceUsd", 600_001]
  ] as const) {
    it.effect(`${filter} filters a search, as ${other} does in the spec's words`, () =>
      Effect.gen(function* () {
        const { json } = yield* search({ [filter]: [id], gameFilters: { game: "emberfall" } })
        assert.deepStrictEqual(idsOf(json), [10_007])
        yield* ask("/sandbox/dialect", { body: { dialect: "spec" } })
        const spec = yield* search({ [other]: [id], gameFilters: { game: "emberfall" } })
        yield* ask("/sandbox/dialect", { body: { dialect: "live" } })
        assert.deepStrictEqual(idsOf(spec.json), [10_007])
      })
    )

    it.effect(`${filter} takes 1 to 200 integers, and ${other} is no filter`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* search({ [filter]: many(200) })).status, 200)
        for (const [ids, field] of [
          [many(201), filter],
          [[], filter],
          [["200000"], `${filter}.0`]
        ] as const) {
          const { json, status } = yield* search({ [filter]: ids })
          assert.deepStrictEqual([status, json.code, json.data["field"]], [400, "BAD_REQUEST", field])
          assert.include(json.message, filter)
        }
        const { json } = yield* search({ [filter]: [id], listings: {} })
        assert.deepStrictEqual([json.code, json.data["field"]], ["BAD_REQUEST", filter])
        const all = yield* search({})
        const unfiltered = yield* search({ [other]: [id] })
        assert.strictEqual(unfiltered.json.pagination.total, all.json.pagination.total)
      })
    )
  }

  it.effect("a search is paged, filtered and sorted by its body alone", () =>
    Effect.gen(function* () {
      const body = { limit: 2, offset: 3, sortBy: "name", sortDirection: "desc", gameFilters: { game: "emberfall" } }
      const alone = yield* search(body)
      assert.deepInclude(alone.json.pagination, { limit: 2, offset: 3 })
      for (const query of ["?limit=7&offset=100&sortBy=printNumber&sortDirection=asc", "?limit=999&offset=x"]) {
        assert.deepStrictEqual((yield* search(body, query)).json, alone.json)
      }
      assert.deepInclude((yield* search({}, "?limit=7&offset=100")).json.pagination, { limit: 50, offset: 0 })
    })
  )

  for (const [path, code, data] of [
    ["/v1/games/none", "GAME_NOT_FOUND", { gameId: "none" }],
    ["/v1/games/none/expansions", "GAME_NOT_FOUND", { gameId: "none" }],
    ["/v1/feeds/none/changelog", "GAME_NOT_FOUND", { gameId: "none" }],
    ["/v1/products/1", "PRODUCT_NOT_FOUND", { productId: 1 }],
    ["/v1/products/1/prices", "PRODUCT_NOT_FOUND", { productId: 1 }],
    ["/v1/expansions/1", "EXPANSION_NOT_FOUND", { expansionId: 1 }]
  ] as const) {
    it.effect(`500 for ${path} with its code`, () =>
      Effect.gen(function* () {
        const { status, json } = yield* ask(path)
        assert.deepStrictEqual([status, json.status, json.code, { ...json.data }], [500, 500, code, data])
      })
    )
  }

  it.effect("404 stays that of an address that is no operation", () =>
    Effect.gen(function* () {
      const { status, json } = yield* ask("/v1/nothing")
      assert.deepStrictEqual([status, json.code], [404, "NOT_FOUND"])
    })
  )

  it.effect("every answer has a request id and its rate limit, errors too", () =>
    Effect.gen(function* () {
      const answers = [
        yield* ask("/v1/games"),
        yield* search({}),
        yield* search("{"),
        yield* ask("/v1/games", { key: "wrong" }),
        yield* ask("/v1/sales"),
        yield* ask("/v1/none"),
        yield* ask("/v1/products/1")
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 400, 401, 403, 404, 500]
      )
      for (const { headers } of answers) {
        assert.match(headers.get("x-request-id") ?? "", /./)
        assert.isAbove(Number(headers.get("x-ratelimit-limit")), 0)
        assert.match(headers.get("x-ratelimit-remaining") ?? "", /^\d+$/)
      }
    })
  )

  it.effect("the control routes are in the spec's manner", () =>
    Effect.gen(function* () {
      const { json, status } = yield* ask("/sandbox/deploy", { body: { gameId: "none" } })
      assert.deepStrictEqual([status, json.code], [404, "GAME_NOT_FOUND"])
    })
  )
})

describe("a dialect that changes", () => {
  it.live("on request, with the next page", () =>
    Effect.gen(function* () {
      const { ask } = yield* faultySandbox({})
      const spec = yield* ask(...productsAt(0))
      assert.deepStrictEqual((yield* ask("/sandbox/dialect")).json as unknown, { dialect: "spec" })
      const changed = yield* ask("/sandbox/dialect", { dialect: "live" })
      assert.deepStrictEqual(changed.json as unknown, { dialect: "live" })
      const live = yield* ask(...productsAt(0))
      assert.isFalse(hasSpecWord(live.text))
      assert.strictEqual(inSpecWords(live.text), spec.text)
      yield* ask("/sandbox/dialect", { dialect: "spec" })
      assert.strictEqual((yield* ask(...productsAt(0))).text, spec.text)
      const unknown = yield* ask("/sandbox/dialect", { dialect: "latin" })
      assert.deepStrictEqual([unknown.status, unknown.json?.data["field"]], [400, "dialect"])
    })
  )

  it.live("by a fault at a certain request, and back at another", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* faultySandbox({
        rules: [
          { kind: "dialect", dialect: "live", endpoint: "products", offset: 200, at: [1] },
          { kind: "dialect", dialect: "spec", endpoint: "changelog" }
        ]
      })
      const worded: Array<boolean> = []
      for (const offset of [0, 200, 400]) worded.push(hasSpecWord((yield* ask(...productsAt(offset))).text))
      assert.deepStrictEqual(worded, [true, false, false])
      yield* ask("/v1/feeds/emberfall/changelog")
      yield* ask("/v1/feeds/emberfall/changelog")
      assert.isTrue(hasSpecWord((yield* ask(...productsAt(0))).text))
      const { counts } = yield* sandbox.injected
      assert.deepStrictEqual(counts, { dialect: 2 })
    })
  )

  it.live("leaves faults of pages as they are: a page that comes twice is the one before", () =>
    Effect.gen(function* () {
      const { ask } = yield* faultySandbox(
        { rules: [{ kind: "page-twice", endpoint: "products", offset: 200, at: [1] }] },
        "live"
      )
      const first = yield* ask(...productsAt(0))
      const struck = yield* ask(...productsAt(200))
      const clean = yield* ask(...productsAt(200))
      assert.deepStrictEqual(struck.json?.data, first.json?.data)
      assert.notDeepEqual(clean.json?.data, first.json?.data)
      assert.deepStrictEqual(struck.json?.pagination, clean.json?.pagination)
    })
  )
})

const wait = (seconds: number) => ask("/sandbox/clock", { body: { seconds } })
const statuses = (times: number) =>
  Effect.map(Effect.replicateEffect(ask("/v1/games"), times), (answers) => answers.map(({ status }) => status))

layer(Served.layer({ dialect: "live", rateLimit: 6, rateWindow: "sliding" }))("a sliding window of a minute", (it) => {
  it.effect("lets no more than its limit through in any 60 seconds, and counts what came", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* statuses(2), [200, 200])
      yield* wait(30)
      assert.deepStrictEqual(yield* statuses(4), [200, 200, 200, 200])
      const { headers, json, status } = yield* ask("/v1/games")
      const retryAfter = Number(headers.get("retry-after"))
      assert.deepStrictEqual([status, json.code], [429, "TOO_MANY_REQUESTS"])
      assert.deepStrictEqual({ ...json.data }, { bucket: "global", limit: 6, retryAfter })
      assert.deepStrictEqual([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")], ["6", "0"])
      // The first two are half a minute old; a bucket that fills evenly would have let three more through.
      assert.isTrue(retryAfter >= 28 && retryAfter <= 30)
      yield* wait(retryAfter)
      assert.deepStrictEqual(yield* statuses(3), [200, 200, 429])
      const accounts = [{ accountId: "acc_sandbox", requests: 10, refused: 2, mostInAMinute: 8 }]
      assert.deepStrictEqual((yield* ask("/sandbox/limits")).json as unknown, { perMinute: 6, accounts })
      assert.deepStrictEqual(yield* (yield* Served).limits, accounts)
    })
  )
})
