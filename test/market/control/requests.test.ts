import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { rawRequest } from "../../feed/guard/rawRequest.ts"
import { makeRequestLog } from "../../../src/market/log/RequestLog.ts"
import { suite } from "../../support/sandbox.ts"
import { ask, Served, testKey } from "../Served.ts"

interface Text {
  readonly text: string
  readonly bytes: number
  readonly isCut: boolean
}
interface Logged {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly status: number | null
  readonly requestId: string | null
  readonly account: string | null
  readonly key: string | null
  readonly body: Text | null
  readonly answer: Partial<Text> | null
}

const requests = (query = "") =>
  Effect.map(ask(`/sandbox/requests${query}`), ({ json }) => json.data as unknown as ReadonlyArray<Logged>)
const last = Effect.map(requests("?limit=1"), ([newest]) => newest)
const opened = Effect.flatMap(last, (newest) =>
  Effect.map(ask(`/sandbox/requests/${newest?.number}`), ({ json }) => json as unknown as Logged)
)

suite(Served.layer({ scopes: ["*"] }))("the requests of clients", (it) => {
  it("are listed with method, path, status, key and id, newest first", function* () {
    yield* ask("/v1/games")
    const { headers } = yield* ask("/v1/products/1?x=1")
    const [newest, before] = yield* requests()
    assert.deepInclude(newest, { method: "GET", path: "/v1/products/1?x=1", status: 404, account: "sandbox" })
    assert.strictEqual(newest?.requestId, headers.get("x-request-id"))
    assert.deepInclude(before, { path: "/v1/games", status: 200 })
  })

  it("refuse an address of a webhook that nothing can be sent to, and do not repeat it", function* () {
    for (const url of ["ann:hush@x.test/", "x.test/hush%", "x.test/hush\u202E", "%zz/hush"].map(
      (at) => `http://${at}`
    )) {
      const { json, status } = yield* ask("/sandbox/webhooks", { method: "POST", body: { accountId: "a", url } })
      assert.strictEqual(status, 400, url)
      assert.notInclude(JSON.stringify(json), "hush")
    }
  })

  it("do not include control routes, pages and their files, but addresses that do not exist", function* () {
    const { url } = yield* Served
    yield* ask("/v1/games")
    for (const path of ["sandbox", "sandbox/clock", "sandbox?x", "sandbox/room.js", "docs", "openapi.json", ""])
      yield* Effect.promise(() => fetch(`${url}/${path}`).then((answer) => answer.text()))
    assert.strictEqual((yield* last)?.path, "/v1/games")
    yield* ask("/sandboxes")
    assert.strictEqual((yield* last)?.path, "/sandboxes")
  })

  it("show bodies on demand: that which was sent, and the answer unpacked", function* () {
    const body = `{"gameFilters": {"game": "emberfall"}, "limit": 1}`
    yield* ask("/v1/products/search?limit=1", { body, headers: { "accept-encoding": "gzip" } })
    const { answer, body: sent } = yield* opened
    assert.deepEqual(sent, { text: body, bytes: body.length, isCut: false })
    assert.strictEqual(JSON.parse(answer?.text ?? "").pagination.limit, 1)
  })

  it("show the beginning of a long body, and say that it is cut", function* () {
    const name = "a".repeat(20_000)
    yield* ask("/v1/products/search", { body: { name } })
    const { body } = yield* opened
    assert.deepEqual(body, { text: `{"name":"${name}`.slice(0, 16_384), bytes: 20_011, isCut: true })
    for (const encoding of ["identity", "gzip"]) {
      yield* ask("/v1/products/search?limit=200", { body: {}, headers: { "accept-encoding": encoding } })
      const { answer } = yield* opened
      assert.isTrue(answer?.isCut)
      assert.match(answer?.text ?? "", /^\{"data":\[\{"id":/)
    }
  })

  it("have no key and no signature in them, wherever it was sent", function* () {
    const { url } = yield* Served
    const { key }: { key: string } = (yield* ask("/sandbox/accounts", { body: { username: "keyed" } })).json[
      "key" as never
    ]
    yield* ask(`/v1/games?secret=${key}`, { key })
    const [newest] = yield* requests()
    assert.deepInclude(newest, { path: `/v1/games?secret=…${key.slice(-4)}`, account: "keyed", key: key.slice(-4) })
    yield* ask("/v1/products/search", { body: { name: key }, key: "another" })
    yield* ask(`/v1/products/search?x=${key}`, { body: { name: key } })
    yield* Effect.promise(() => fetch(`${url}/files/feeds/emberfall/x?expires=1&signature=abcdef`))
    yield* ask("/v1/feeds/emberfall")
    const [feeds, ...all] = yield* requests()
    const { answer } = (yield* ask(`/sandbox/requests/${feeds?.number}`)).json as { answer?: { text: string } }
    assert.match(answer?.text ?? "", /&signature=…"/)
    assert.strictEqual(all[0]?.path, "/files/feeds/emberfall/x?expires=1&signature=…")
    const opened = yield* Effect.forEach(all, ({ number }) => ask(`/sandbox/requests/${number}`))
    assert.notInclude(JSON.stringify([all, opened]), key)
    assert.notInclude(JSON.stringify(all), testKey)
  })

  it("with an unknown key name its last letters, and no account", function* () {
    yield* ask("/v1/games", { key: "some-unknown-key-wxyz" })
    assert.deepInclude(yield* last, { status: 401, account: null, key: "wxyz" })
    yield* ask("/v1/games", { key: "short" })
    assert.deepInclude(yield* last, { account: null, key: "" })
  })

  it("can be asked for page by page, and for those that were refused alone", function* () {
    yield* ask("/v1/games")
    yield* ask("/v1/games/none")
    yield* ask("/v1/games")
    const failed = yield* requests("?failed=true&limit=1")
    assert.deepInclude(failed[0], { path: "/v1/games/none", status: 404 })
    const older = yield* requests(`?before=${failed[0]?.number}&limit=1`)
    assert.strictEqual(older[0]?.number, (failed[0]?.number ?? 0) - 1)
    const { json, status } = yield* ask("/sandbox/requests/1000000")
    assert.deepEqual([status, json.code], [404, "NOT_FOUND"])
  })

  it("keep their body when a bracket is in the address, and are no more than the guard lets in", function* () {
    const { url } = yield* Served
    yield* ask("/v1/products/search?limit[]=1", { body: { limit: 1 } })
    assert.strictEqual((yield* opened).body?.text, `{"limit":1}`)
    const { number } = (yield* last) ?? { number: 0 }
    yield* rawRequest(url, ["GET /v1/games HTTP/1.1", "Host: evil.example"])
    assert.strictEqual((yield* last)?.number, number)
  })
})

suite(Served.layer({ faults: { rules: [{ kind: "reset", endpoint: "games" }] } }))("a request that was cut", (it) => {
  it("has no status", function* () {
    const { url } = yield* Served
    yield* Effect.promise(() =>
      fetch(`${url}/v1/games`, { headers: { authorization: `Bearer ${testKey}` } }).catch(() => {})
    )
    assert.deepInclude(yield* last, { path: "/v1/games", status: null, requestId: null })
    assert.strictEqual((yield* requests("?failed=true")).length, 1)
  })
})

it("the log drops the oldest requests beyond its number and its bytes", () => {
  const log = makeRequestLog(() => 0, { maxRequests: 3, maxBytes: 25 })
  const add = (length: number) => {
    const number = log.begin({ method: "GET", path: "/", keyHash: null, keyEnding: null })
    log.note(number, { body: { bytes: new Uint8Array(length), length, isPacked: false } })
  }
  const numbers = () => log.list().map(({ number }) => number)
  for (const length of [1, 1, 1, 1]) add(length)
  assert.deepEqual(numbers(), [4, 3, 2])
  add(24)
  assert.deepEqual(numbers(), [5, 4])
  add(20)
  assert.deepEqual(numbers(), [6])
})
