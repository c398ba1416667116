import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { faultySandbox, productsAt } from "../FaultySandbox.ts"
import { ask, type Body, search, Served } from "../Served.ts"
import { hasSpecWord, inSpecWords } from "./pageTexts.ts"
import { suite, values } from "../../support/sandbox.ts"
import { pageFault } from "../../support/pageFaults.ts"
import { live } from "../../support/suite.ts"

const idsOf = ({ data }: Body) => data.map(({ id }) => id)
const many = (length: number) => Array.from({ length }, (_, at) => 200_000 + at)

suite(Served.layer({ dialect: "live" }))("in the live dialect", (it) => {
  for (const [filter, other, id] of [
    ["cardmarketId", "sourceEur", 200_000],
    ["tcgplayerId", "sourceUsd", 600_001]
  ] as const) {
    it(`${filter} filters a search, as ${other} does in the spec's words`, function* () {
      const { json } = yield* search({ [filter]: [id], gameFilters: { game: "emberfall" } })
      assert.deepEqual(idsOf(json), [10_007])
      yield* ask("/sandbox/dialect", { body: { dialect: "spec" } })
      const spec = yield* search({ [other]: [id], gameFilters: { game: "emberfall" } })
      yield* ask("/sandbox/dialect", { body: { dialect: "live" } })
      assert.deepEqual(idsOf(spec.json), [10_007])
    })

    it(`${filter} takes 1 to 200 integers, and ${other} is no filter`, function* () {
      assert.strictEqual((yield* search({ [filter]: many(200) })).status, 200)
      for (const [ids, field] of [
        [many(201), filter],
        [[], filter],
        [["200000"], `${filter}.0`]
      ] as const) {
        const { json, status } = yield* search({ [filter]: ids })
        assert.deepEqual([status, json.code, json.data["field"]], [400, "BAD_REQUEST", field])
        assert.include(json.message, filter)
      }
      const { json } = yield* search({ [filter]: [id], listings: {} })
      assert.deepEqual([json.code, json.data["field"]], ["BAD_REQUEST", filter])
      const all = yield* search({})
      const unfiltered = yield* search({ [other]: [id] })
      assert.strictEqual(unfiltered.json.pagination.total, all.json.pagination.total)
    })
  }

  it("a search is paged, filtered and sorted by its body alone", function* () {
    const body = { limit: 2, offset: 3, sortBy: "name", sortDirection: "desc", gameFilters: { game: "emberfall" } }
    const alone = yield* search(body)
    assert.deepInclude(alone.json.pagination, { limit: 2, offset: 3 })
    for (const query of ["?limit=7&offset=100&sortBy=printNumber&sortDirection=asc", "?limit=999&offset=x"]) {
      assert.deepEqual((yield* search(body, query)).json, alone.json)
    }
    assert.deepInclude((yield* search({}, "?limit=7&offset=100")).json.pagination, { limit: 50, offset: 0 })
  })

  it("404 stays that of an address that is no operation", function* () {
    const { status, json } = yield* ask("/v1/nothing")
    assert.deepEqual([status, json.code], [404, "NOT_FOUND"])
  })

  it("every answer has a request id and its rate limit, errors too", function* () {
    const answers = [
      yield* ask("/v1/games"),
      yield* search({}),
      yield* search("{"),
      yield* ask("/v1/games", { key: "wrong" }),
      yield* ask("/v1/sales"),
      yield* ask("/v1/none"),
      yield* ask("/v1/products/1")
    ]
    assert.deepEqual(values(answers, "status"), [200, 200, 400, 401, 403, 404, 500])
    for (const { headers } of answers) {
      assert.match(headers.get("x-request-id") ?? "", /./)
      assert.isAbove(Number(headers.get("x-ratelimit-limit")), 0)
      assert.match(headers.get("x-ratelimit-remaining") ?? "", /^\d+$/)
    }
  })

  it("the control routes are in the spec's manner", function* () {
    const { json, status } = yield* ask("/sandbox/deploy", { body: { gameId: "none" } })
    assert.deepEqual([status, json.code], [404, "GAME_NOT_FOUND"])
  })
})

describe("a dialect that changes", () => {
  live("on request, with the next page", function* () {
    const { ask } = yield* faultySandbox({})
    const spec = yield* ask(...productsAt(0))
    assert.deepEqual((yield* ask("/sandbox/dialect")).json as unknown, { dialect: "spec" })
    const changed = yield* ask("/sandbox/dialect", { dialect: "live" })
    assert.deepEqual(changed.json as unknown, { dialect: "live" })
    const live = yield* ask(...productsAt(0))
    assert.isFalse(hasSpecWord(live.text))
    assert.strictEqual(inSpecWords(live.text), spec.text)
    yield* ask("/sandbox/dialect", { dialect: "spec" })
    assert.strictEqual((yield* ask(...productsAt(0))).text, spec.text)
    const unknown = yield* ask("/sandbox/dialect", { dialect: "latin" })
    assert.deepEqual([unknown.status, unknown.json?.data["field"]], [400, "dialect"])
  })

  live("by a fault at a certain request, and back at another", function* () {
    const { ask, sandbox } = yield* faultySandbox({
      rules: [
        { kind: "dialect", dialect: "live", endpoint: "products", offset: 200, at: [1] },
        { kind: "dialect", dialect: "spec", endpoint: "changelog" }
      ]
    })
    const worded: Array<boolean> = []
    for (const offset of [0, 200, 400]) worded.push(hasSpecWord((yield* ask(...productsAt(offset))).text))
    assert.deepEqual(worded, [true, false, false])
    yield* ask("/v1/feeds/emberfall/changelog")
    yield* ask("/v1/feeds/emberfall/changelog")
    assert.isTrue(hasSpecWord((yield* ask(...productsAt(0))).text))
    const { counts } = yield* sandbox.injected
    assert.deepEqual(counts, { dialect: 2 })
  })

  live("leaves faults of pages as they are: a page that comes twice is the one before", function* () {
    const { ask } = yield* faultySandbox(
      { rules: [pageFault({ kind: "page-twice", endpoint: "products", offset: 200, at: [1] })] },
      "live"
    )
    const first = yield* ask(...productsAt(0))
    const struck = yield* ask(...productsAt(200))
    const clean = yield* ask(...productsAt(200))
    assert.deepEqual(struck.json?.data, first.json?.data)
    assert.notDeepEqual(clean.json?.data, first.json?.data)
    assert.deepEqual(struck.json?.pagination, clean.json?.pagination)
  })
})

const wait = (seconds: number) => ask("/sandbox/clock", { body: { seconds } })
const statuses = (times: number) =>
  Effect.map(Effect.replicateEffect(ask("/v1/games"), times), (answers) => answers.map(({ status }) => status))

suite(Served.layer({ dialect: "live", rateLimit: 6, rateWindow: "sliding" }))("a sliding window of a minute", (it) => {
  it("lets no more than its limit through in any 60 seconds, and counts what came", function* () {
    assert.deepEqual(yield* statuses(2), [200, 200])
    yield* wait(30)
    assert.deepEqual(yield* statuses(4), [200, 200, 200, 200])
    const { headers, json, status } = yield* ask("/v1/games")
    const retryAfter = Number(headers.get("retry-after"))
    assert.deepEqual([status, json.code], [429, "TOO_MANY_REQUESTS"])
    assert.deepEqual({ ...json.data }, { bucket: "global", limit: 6, retryAfter })
    assert.deepEqual([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")], ["6", "0"])
    // The first two are half a minute old; a bucket that fills evenly would have let three more through.
    assert.isTrue(retryAfter >= 28 && retryAfter <= 30)
    yield* wait(retryAfter)
    assert.deepEqual(yield* statuses(3), [200, 200, 429])
    const accounts = [{ accountId: "acc_sandbox", requests: 10, refused: 2, maxPerMinute: 8 }]
    assert.deepEqual((yield* ask("/sandbox/limits")).json as unknown, { perMinute: 6, accounts })
    assert.deepEqual(yield* (yield* Served).limits, accounts)
  })
})
