import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect, Layer, Redacted } from "effect"
import { main, node } from "../../pipelines/cli.ts"
import { game, servedNights } from "../../pipelines/servedNights.ts"
import { homeAt } from "../../store/lake/handMadeNights.ts"
import { npmPackage } from "../../support/fetchedPrograms.ts"
import { shared, suite } from "../../support/suite.ts"
import { serving } from "../serve/served.ts"

const sdk = npmPackage("mcp", "@modelcontextprotocol/sdk@1.32.2")
const { env, home, published } = await servedNights()
const token = "0123456789abcdef0123456789abcdef"
const guide = (name: string) => readFileSync(new URL(`../../../data/${name}`, import.meta.url), "utf8")
const questions = [...guide("guide/questions.md").matchAll(/```sql\n([^]*?)```/g)].map(([, sql = ""]) => sql)

const Served = shared("ServedOfficial", function* () {
  return yield* serving(Redacted.make(token))
})

// oxlint-disable-next-line typescript/no-explicit-any -- its types are not installed
const load = async (file: string): Promise<any> =>
  await import(pathToFileURL(join(sdk ?? "", "@modelcontextprotocol/sdk/dist/esm/client", file)).href)

/** Connects the official client. It checks every answer against the output schema, and reports each line that is no message. */
const connected = (transport: string, settings: unknown) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const [{ Client }, { [transport]: Transport }] = await Promise.all([
        load("index.js"),
        load(transport.startsWith("Stdio") ? "stdio.js" : "streamableHttp.js")
      ])
      const errors: Array<unknown> = []
      const onerror = (error: unknown) => errors.push(error)
      const client = Object.assign(new Client({ name: "test", version: "1" }), { onerror })
      await client.connect(Array.isArray(settings) ? new Transport(...settings) : new Transport(settings))
      // oxlint-disable-next-line typescript/no-explicit-any
      const ask = (method: string, params = {}) => Effect.promise(async (): Promise<any> => client[method](params))
      return { ask, errors }
    }),
    ({ ask }) => ask("close")
  )

/** The rows of a query as texts, as DuckDB itself has them. */
const rowsOf = (sql: string) =>
  Effect.promise(async () => {
    const instance = await DuckDBInstance.create(join(home, "lake.duckdb"), { access_mode: "READ_ONLY" })
    try {
      const connection = await instance.connect()
      await connection.run("set TimeZone = 'UTC'")
      return (await connection.runAndReadAll(`select columns(*)::varchar from (${sql})`)).getRowsJson()
    } finally {
      instance.closeSync()
    }
  })

/** A list is JSON in an answer. */
const listText = (text: string | null) =>
  text?.startsWith("[") ? `[${(JSON.parse(text) as ReadonlyArray<string>).join(", ")}]` : text

/** Asks what a stranger asks, and compares each answer with SQL. */
const asksAll = Effect.fnUntraced(function* ({ ask, errors }: Effect.Success<ReturnType<typeof connected>>) {
  const { tools } = yield* ask("listTools")
  const { resources } = yield* ask("listResources")
  assert.includeMembers(
    tools.map(({ name }: { name: string }) => name),
    ["query", "describe", "find_products", "movers"]
  )
  for (const { mimeType, uri } of resources) {
    const { contents } = yield* ask("readResource", { uri })
    const text = guide(uri.endsWith("dictionary") ? "DICTIONARY.md" : "guide/questions.md")
    assert.deepStrictEqual(contents, [{ uri, mimeType, text }])
  }
  const calls = [
    ...questions.map((sql) => ["query", { sql }, sql] as const),
    ["find_products", { said: "orchard", most: 3 }, "from find_products('orchard', most := 3) order by place"],
    ["movers", { days: 1, min_price: 0 }, "from movers(days := 1, min_price := 0) limit 200"]
  ] as const
  for (const [name, args, sql] of calls) {
    const { isError, structuredContent } = yield* ask("callTool", { name, arguments: args })
    assert.isNotOk(isError, sql)
    const rows = yield* rowsOf(sql)
    const given = (structuredContent.rows as ReadonlyArray<ReadonlyArray<string | null>>).map((row) =>
      row.map(listText)
    )
    assert.deepStrictEqual(given, rows, sql)
    assert.deepInclude(structuredContent.games[0], { game, snapshot: published.at(-1), night: published.length })
    assert.strictEqual(structuredContent.row_count, rows.length)
  }
  const { content, isError } = yield* ask("callTool", { name: "movers", arguments: { day: 7 } })
  assert.isTrue(isError)
  assert.match(content[0].text, /the arguments are days, /)
  assert.deepStrictEqual(errors, [])
})

suite(Layer.provideMerge(Served.layer, Layer.fresh(homeAt(home))), "the client of the official SDK", (it) => {
  it.skipIf(sdk === null)("starts cardlake mcp, and its answers are those of SQL", function* () {
    yield* asksAll(yield* connected("StdioClientTransport", { command: node, args: [main, "mcp"], env }))
  })

  it.skipIf(sdk === null)("asks cardlake serve by HTTP with its token, and its answers are those of SQL", function* () {
    const { url } = yield* Served
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    yield* asksAll(yield* connected("StreamableHTTPClientTransport", [new URL(`${url}/mcp`), { requestInit }]))
  })
})
