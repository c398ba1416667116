import { DuckDBInstance } from "@duckdb/node-api"
import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Effect, Layer, Queue, Sink, Stdio, Stream } from "effect"
import { serveAssistant } from "../../../src/desk/assistant/serveAssistant.ts"
import { main, node } from "../../pipelines/cli.ts"
import { game, servedNights } from "../../pipelines/servedNights.ts"
import { homeAt } from "../../store/lake/handMadeNights.ts"
import { suite } from "../../support/suite.ts"
import { type Message, opening, stateless } from "./mcpClient.ts"

const { env, home, published } = await servedNights()
const lastNight = { game, snapshot: published.at(-1), night: published.length }

interface Answer {
  readonly id: unknown
  readonly error?: { readonly code: number; readonly message: string }
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly result?: any
}

/** An assistant's server in this process, and a client that writes lines and reads lines. */
const client = Effect.gen(function* () {
  const input = yield* Queue.unbounded<string>()
  const output = yield* Queue.unbounded<string>()
  const stdio = Stdio.layerTest({
    stdin: Stream.encodeText(Stream.fromQueue(input)),
    stdout: () => Sink.forEach((line) => Queue.offer(output, String(line)))
  })
  yield* serveAssistant({ version: "1", withCollection: false }).pipe(Effect.provide(stdio), Effect.forkScoped)
  const read = Effect.map(Queue.take(output), (line) => JSON.parse(line) as Answer)
  const write = (line: string) => Queue.offer(input, `${line}\n`)
  const request = (method: string, params: Message = {}) =>
    Effect.andThen(write(JSON.stringify({ jsonrpc: "2.0", id: method, method, params })), read)
  return { read, write, request }
})

const initialized = Effect.gen(function* () {
  const { request, write, ...rest } = yield* client
  const { result } = yield* request("initialize", opening)
  assert.strictEqual(result.protocolVersion, "2025-06-18")
  yield* write('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  const call = (name: string, args: Message = {}) => request("tools/call", { name, arguments: args })
  return { ...rest, request, write, call }
})

suite(Layer.fresh(homeAt(home)), "an assistant", (it) => {
  it("gets the same answer in both revisions: exact texts, with game, snapshot, night and row count", function* () {
    const { call } = yield* initialized
    const sql = "select game_id, 0.1000::decimal(18, 4) as price, null as none from games"
    const { result } = yield* call("query", { sql })
    assert.deepInclude(result.structuredContent.games[0], lastNight)
    assert.deepStrictEqual(result.structuredContent.rows, [[game, "0.1000", null]])
    assert.deepInclude(result.structuredContent, { row_count: 1, is_cut: false })
    assert.match(
      result.structuredContent.summary,
      new RegExp(`^1 row. ${game}: snapshot ${lastNight.snapshot}, night 4`)
    )
    assert.deepStrictEqual(JSON.parse(result.content[0].text), result.structuredContent)
    const later = yield* client
    const second = yield* later.request("tools/call", { name: "query", arguments: { sql }, ...stateless })
    assert.deepStrictEqual(second.result.structuredContent, result.structuredContent)
  })

  it("can call every macro with the arguments that the lake's macro takes, each explained", function* () {
    const { request } = yield* client
    const { result } = yield* request("tools/list", stateless)
    const instance = yield* Effect.promise(() =>
      DuckDBInstance.create(join(home, "lake.duckdb"), { access_mode: "READ_ONLY" })
    )
    const sql =
      "select function_name, parameters from duckdb_functions() where function_type = 'table_macro' and not internal and schema_name = 'main'"
    const found = yield* Effect.promise(async () => (await (await instance.connect()).runAndReadAll(sql)).getRowsJson())
    instance.closeSync()
    const tools = result.tools.filter(({ name }: { name: string }) => !["query", "describe"].includes(name))
    const taken = (tool: { name: string; inputSchema: { properties: Message } }) =>
      [tool.name, Object.keys(tool.inputSchema.properties)] as const
    assert.deepStrictEqual(new Map(tools.map(taken)), new Map(found.map(([name, parameters]) => [name, parameters])))
    for (const { inputSchema } of tools)
      for (const one of Object.values<{ description: string }>(inputSchema.properties))
        assert.isAbove(one.description.length, 3)
    const movers = tools.find(({ name }: { name: string }) => name === "movers")
    assert.deepInclude(movers.inputSchema.properties, {
      days: { type: "number", description: "age of the older reading in days, default 7" }
    })
  })

  it("calls macros with typed arguments, and learns what a name means", function* () {
    const { call } = yield* initialized
    const said = "it's \"; drop table products; --"
    assert.strictEqual((yield* call("find_products", { said, most: 3 })).result.structuredContent.row_count, 0)
    const { structuredContent } = (yield* call("describe", { name: "find_products" })).result
    assert.deepStrictEqual(structuredContent.rows[1], ["found", "BIGINT", "total number of matching products"])
    assert.match(structuredContent.summary, /^find_products \(macro\): Which products match a search text\?/)
    const all = (yield* call("describe")).result.structuredContent
    assert.include(JSON.stringify(all.rows), '["products","table"')
  })

  it("is told when rows were cut, by number or by size", function* () {
    const { call } = yield* initialized
    const ask = (sql: string) => Effect.map(call("query", { sql }), ({ result }) => result.structuredContent)
    assert.deepInclude(yield* ask("from range(200)"), { row_count: 200, is_cut: false })
    const many = yield* ask("from range(201)")
    assert.deepInclude(many, { row_count: 200, is_cut: true })
    assert.match(many.summary, /^Only the first 200 rows; the rest was cut/)
    const { rows } = yield* ask("select [1, null], ['a, b'], {'k': 1.50}, null::int[], 1.50")
    assert.deepStrictEqual(rows, [["[1,null]", '["a, b"]', '{"k":1.5}', null, "1.50"]])
    assert.deepInclude(yield* ask("select repeat('x', 70_000) from range(3)"), { row_count: 2, is_cut: true })
  })

  it("is refused what writes, reads files or is not understood, and asks on", function* () {
    const { call } = yield* initialized
    const refusal = (name: string, args: Message) =>
      Effect.map(
        call(name, args),
        ({ error, result }) => error?.message ?? (result.isError ? result.content[0].text : "")
      )
    assert.match(yield* refusal("query", { sql: "create table x (a int)" }), /Only reading queries/)
    assert.match(yield* refusal("query", { sql: "from read_text('/etc/hostname')" }), /cannot call read_text/)
    assert.match(yield* refusal("query", { sql: "from '/etc/hostname.csv'" }), /disabled by configuration/)
    assert.match(yield* refusal("nothing", {}), /'nothing' not found/)
    assert.match(yield* refusal("movers", { days: "seven" }), /Expected number/)
    assert.match(yield* refusal("price_series", {}), /'price_series': Missing key\s+at \["product"\]/)
    assert.match(yield* refusal("movers", { since_when: 1 }), /the arguments are days, min_price, /)
    assert.match(
      yield* refusal("describe", { name: "moverz" }),
      /Did you mean movers.* List its names: call describe without arguments$/
    )
    assert.strictEqual(yield* refusal("query", { sql: "select 1" }), "")
  })

  it("gets an error for each line that is no message, and asks on", function* () {
    const { read, write } = yield* initialized
    for (const line of ["no JSON", "é{", "42", "null", "{}", '{"id":1}', '{"id":{},"method":"ping"}', "[]"]) {
      yield* write(line)
      const { error, id } = yield* read
      assert.isNull(id, line)
      assert.include([-32_700, -32_600], error?.code, line)
    }
    yield* write('{"jsonrpc":"2.0","id":7,"method":"nothing"}')
    assert.strictEqual((yield* read).error?.code, -32_601)
  })

  it("asks several questions at once, and cancels one", function* () {
    const { read, write } = yield* initialized
    const ask = (id: number, sql: string) =>
      write(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "query", arguments: { sql } } }))
    yield* ask(1, "select sum(sqrt(i)) from range(1_000_000_000_000) r(i)")
    yield* ask(2, "select 2")
    assert.strictEqual((yield* read).id, 2)
    yield* write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
    yield* ask(3, "select 3")
    assert.strictEqual((yield* read).id, 3)
  })
})

it("cardlake mcp prints nothing but the protocol, and answers what was asked before its input ended", async () => {
  const child = spawn(node, [main, "mcp"], { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] })
  const params = { name: "query", arguments: { sql: "select 42" }, ...stateless }
  const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
  child.stdin.end(`${request}\n{"jsonrpc":"2.0","id":2,"meth`)
  const [printed, code] = await Promise.all([
    text(child.stdout),
    once(child, "close").then(([code]: Array<unknown>) => code)
  ])
  const answers = printed
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer)
  assert.deepStrictEqual(
    answers.map(({ id }) => id),
    [null, 1]
  )
  assert.strictEqual(code, 0)
})
