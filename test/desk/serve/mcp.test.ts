import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { game, servedNights } from "../../pipelines/servedNights.ts"
import { homeAt } from "../../store/lake/handMadeNights.ts"
import { shared, suite } from "../../support/suite.ts"
import { type Message, opening, stateless } from "../assistant/mcpClient.ts"
import { serving } from "./served.ts"

const { home, published } = await servedNights()
const token = "0123456789abcdef0123456789abcdef"

const Served = shared("ServedMcp", function* () {
  return yield* serving(Redacted.make(token))
})

const media = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  authorization: `Bearer ${token}`
}

/** Sends a request of JSON-RPC; an answer is JSON, or the last event of a stream. */
const post = Effect.fnUntraced(function* (body: Message, headers: Readonly<Record<string, string>> = {}) {
  const { get } = yield* Served
  const got = yield* get("/mcp", { method: "POST", headers: { ...media, ...headers }, body: JSON.stringify(body) })
  const text = got.text.startsWith("{") ? got.text : (/^data: (.*)$/m.exec(got.text)?.[1] ?? "null")
  // oxlint-disable-next-line typescript/no-explicit-any
  return { ...got, message: JSON.parse(text) as any }
})

const request = (method: string, params: Message) => ({ jsonrpc: "2.0", id: 1, method, params })

const modern = (method: string, name: string) => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": method,
  "mcp-name": name
})

const initialize = Effect.gen(function* () {
  const { headers, message } = yield* post(request("initialize", opening))
  assert.strictEqual(message.result.protocolVersion, "2025-06-18")
  const session = { "mcp-session-id": headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-06-18" }
  const { status } = yield* post({ jsonrpc: "2.0", method: "notifications/initialized" }, session)
  assert.strictEqual(status, 202)
  return session
})

const query = (sql: string) => ({ name: "query", arguments: { sql } })

suite(Layer.provideMerge(Served.layer, Layer.fresh(homeAt(home))), "an assistant by HTTP", (it) => {
  it("gets the same answer in both revisions, with game, snapshot, night and row count", function* () {
    const sql = "select game_id, 0.1000::decimal(18, 4) as price from games"
    const first = yield* post(request("tools/call", query(sql)), yield* initialize)
    const { structuredContent } = first.message.result
    assert.deepStrictEqual(structuredContent.rows, [[game, "0.1000"]])
    assert.deepInclude(structuredContent.games[0], { game, snapshot: published.at(-1), night: published.length })
    const second = yield* post(request("tools/call", { ...query(sql), ...stateless }), modern("tools/call", "query"))
    assert.deepStrictEqual(second.message.result.structuredContent, structuredContent)
  })

  it("is refused what writes, and own cards", function* () {
    const session = yield* initialize
    const answerTo = (sql: string) =>
      Effect.map(post(request("tools/call", query(sql)), session), ({ message }) => message.result.content[0].text)
    assert.match(yield* answerTo("create table x (a int)"), /Only reading queries/)
    assert.match(yield* answerTo("from own.cards"), /does not exist|not found/i)
  })

  it("ends its session, and needs the token for each request", function* () {
    const { get } = yield* Served
    const session = yield* initialize
    const { authorization: _, ...bare } = media
    assert.strictEqual(
      (yield* get("/mcp", { method: "POST", headers: { ...bare, ...session }, body: "{}" })).status,
      401
    )
    const ended = yield* get("/mcp", { method: "DELETE", headers: { ...media, ...session } })
    assert.strictEqual(ended.status, 204)
    assert.strictEqual((yield* post(request("tools/list", {}), session)).status, 404)
  })

  it("is refused a page's request, and a body that is too large", function* () {
    assert.strictEqual((yield* post(request("ping", {}), { origin: "http://evil.example" })).status, 403)
    const large = yield* post(request("tools/call", query("x".repeat(1_100_000))), modern("tools/call", "query"))
    assert.strictEqual(large.message.error.code, -32_700)
  })

  it("answers what is not JSON, and another method, with a reason", function* () {
    const { get } = yield* Served
    const refused = yield* get("/mcp", { method: "POST", headers: media, body: "{" })
    const error = { code: -32_700, message: "The message is not JSON" }
    assert.deepStrictEqual([refused.status, JSON.parse(refused.text)], [400, { jsonrpc: "2.0", id: null, error }])
    const wrong = yield* get("/mcp", { headers: media })
    assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "POST, DELETE"])
    assert.include(JSON.parse(wrong.text).detail, "POST, DELETE")
  })
})
