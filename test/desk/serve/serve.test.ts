import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { RunId } from "../../../src/feed/contract/Ids.ts"
import { Current, Home, readCurrent } from "../../../src/store/home/Home.ts"
import { writeJson } from "../../../src/store/home/jsonFile.ts"
import { game, servedNights } from "../../pipelines/servedNights.ts"
import { rawRequest } from "../../feed/guard/rawRequest.ts"
import { assertHosts } from "../../feed/guard/hosts.ts"
import { homeAt } from "../../store/lake/handMadeNights.ts"
import { fileRows, lakeRows } from "../../store/lake/tableRows.ts"
import { live, newFolder, shared, suite } from "../../support/suite.ts"
import { type Got, linesOf, serving } from "./served.ts"

const { home, published } = await servedNights()
/** The publications of the home: every night but the second one. */
const last = published.length
const newest = published.at(-1) ?? ""
const end = { next: last, run: newest }

const Served = shared("Served", function* () {
  return yield* serving()
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  Effect.flatMap(Served, (served) => served.get(path, { headers, method }))

const problem = ({ headers, text }: Got) => {
  assert.strictEqual(headers.get("content-type"), "application/problem+json")
  return JSON.parse(text) as {
    readonly status: number
    readonly detail: string
    readonly restart: { readonly sequence: number; readonly run: string; readonly tables: ReadonlyArray<string> }
  }
}

const asJson = { accept: "application/json" }

suite(Layer.provideMerge(Served.layer, Layer.fresh(homeAt(home))), "serve", (it) => {
  it("gives all changes after a number, as lines or as one document, ending with the next number", function* () {
    const all = linesOf(yield* get("/v1/changes?since=0&limit=100000"))
    assert.deepStrictEqual(all.at(-1), end)
    const sequences = all.slice(0, -1).map(({ sequence }) => Number(sequence))
    assert.deepStrictEqual(
      sequences,
      sequences.toSorted((a, b) => a - b)
    )
    assert.deepStrictEqual([...new Set(sequences)], [1, 2, 3, 4])
    const document = yield* get("/v1/changes?since=0&limit=100000", asJson)
    assert.deepStrictEqual(JSON.parse(document.text), { changes: all.slice(0, -1), ...end })
    const none = yield* get(`/v1/changes?since=${last}`, asJson)
    assert.deepStrictEqual(JSON.parse(none.text), { changes: [], ...end })
    assert.deepStrictEqual(linesOf(yield* get(`/v1/changes?since=${last}&wait=1`)), [end])
  })

  it("gives changes in pages of whole publications, of the games that were asked for", function* () {
    const all = linesOf(yield* get("/v1/changes?since=0&limit=100000"))
    const pages: Array<unknown> = []
    let since = 0
    while (since < last) {
      const page = linesOf(yield* get(`/v1/changes?since=${since}&limit=1&games=${game}`))
      assert.deepStrictEqual(page.at(-1), { next: since + 1, run: published[since] })
      pages.push(...page.slice(0, -1))
      since += 1
    }
    assert.deepStrictEqual(pages, all.slice(0, -1))
    assert.match(problem(yield* get("/v1/changes?since=0&games=none")).detail, /no game none.*clockwork-orchard/)
  })

  it("answers 304 to whoever has the answer, compresses it, and answers HEAD", function* () {
    const path = "/v1/changes?since=0"
    const plain = yield* get(path, { "accept-encoding": "identity" })
    const etag = plain.headers.get("etag") ?? ""
    assert.match(etag, /^"[\da-f]{64}"$/)
    assert.strictEqual((yield* get(path, { "if-none-match": etag })).status, 304)
    assert.strictEqual((yield* get(path, { "if-none-match": '"other"' })).status, 200)
    assert.notStrictEqual((yield* get(path, asJson)).headers.get("etag"), `W/${etag}`)
    const packed = yield* rawRequest((yield* Served).url, [
      `GET ${path} HTTP/1.0`,
      "Host: localhost",
      "Accept-Encoding: gzip"
    ])
    assert.match(packed.text, /content-encoding: gzip/i)
    assert.strictEqual((yield* get(path, { "accept-encoding": "gzip" })).text, plain.text)
    const head = yield* get(path, { "accept-encoding": "identity" }, "HEAD")
    assert.deepStrictEqual([head.status, head.text, head.headers.get("etag")], [200, "", etag])
  })

  it("says 410 where to start again at once, if a number never was", function* () {
    const table = `/v1/tables/products/${game}.parquet?sequence`
    for (const path of ["/v1/changes?wait=60&since", "/v1/publications?since", table]) {
      const { detail, restart, status } = problem(yield* Effect.timeout(get(`${path}=${last + 1}`), "5 seconds"))
      assert.strictEqual(status, 410, path)
      assert.deepInclude(restart, { sequence: last, run: newest })
      assert.include(restart.tables, "source_prices")
      assert.include(detail, `Publication ${last + 1} never was; the newest is ${last}. `)
      assert.include(detail, path === table ? `?sequence=${last}` : `?since=${last}`)
    }
    assert.strictEqual(problem(yield* get(`/v1/tables/products/${game}.parquet?sequence=1`)).status, 410)
  })

  it("says 410 if the number is that of another data directory", function* () {
    const since = (number: number, run = "") => get(`/v1/changes?since=${number}&run=${run}`)
    for (const [at, run] of published.entries()) assert.strictEqual((yield* since(at + 1, run)).status, 200)
    assert.strictEqual((yield* since(0)).status, 200)
    const { detail, restart } = problem(yield* since(1, newest))
    assert.deepInclude(restart, { sequence: last, run: newest })
    assert.include(detail, `Publication 1 of this data directory is not the one of run ${newest}; the newest is 4`)
    // It replaces the served one, and has as many publications.
    yield* since(last, newest)
    const { current: file } = yield* Home
    const current = yield* readCurrent
    const history = current.history.map((step) => (step.run === newest ? { ...step, run: RunId.make("other") } : step))
    yield* writeJson(file, Current, { ...current, history })
    const replaced = yield* Effect.ensuring(
      since(last, `${newest}&wait=60`),
      Effect.orDie(writeJson(file, Current, current))
    )
    assert.strictEqual(problem(replaced).status, 410)
  })

  it("lists the publications as the lake has them", function* () {
    const rows = yield* lakeRows("select * from publications order by sequence, game_id")
    const { next, publications } = JSON.parse((yield* get("/v1/publications")).text)
    assert.strictEqual(next, last)
    assert.deepStrictEqual(
      publications.map((one: Readonly<Record<string, unknown>>) => [one["sequence"], one["game_id"], one["kind"]]),
      rows.map((row) => [Number(row["sequence"]), row["game_id"], row["kind"]])
    )
    const page = JSON.parse((yield* get("/v1/publications?since=1&limit=2")).text)
    assert.deepStrictEqual([page.publications.length, page.next], [2, 3])
  })

  it("gives a product with its prices and series, figure by figure as the lake has them", function* () {
    const [{ id } = {}] = yield* lakeRows(
      "select product_id::varchar as id from source_prices where source = 'sourceEur' and low > 0 order by product_id limit 1"
    )
    const found = JSON.parse((yield* get(`/v1/products/${game}/${String(id)}`)).text)
    assert.strictEqual(found.sequence, last)
    assert.strictEqual(String(found.product.product_id), id)
    const prices = yield* lakeRows(
      `select low::double as low from source_prices where product_id = ${String(id)} order by source, finish`
    )
    assert.deepStrictEqual(
      found.prices.map(({ low }: { low: number }) => low),
      prices.map(({ low }) => low)
    )
    const series = yield* lakeRows(
      `select day::varchar as day, market_value::double as price from price_series(${String(id)}, source_name := 'sourceEur') where currency is not null order by finish, day`
    )
    assert.isAbove(series.length, 0)
    assert.deepStrictEqual(
      found.series
        .filter(({ source }: { source: string }) => source === "sourceEur")
        .map(({ day, market_value: price }: { day: string; market_value: number }) => ({ day, price })),
      series
    )
    const missing = `no product 1 now. Those that it has: /v1/tables/products/${game}.ndjson`
    assert.include(problem(yield* get(`/v1/products/${game}/1`)).detail, missing)
    assert.match(problem(yield* get("/v1/products/none/1")).detail, /no game none.*clockwork-orchard/)
  })

  it("gives a table as Parquet and as lines, whole and in ranges that join", function* () {
    const { url } = yield* Served
    const path = `/v1/tables/source_prices/${game}.parquet?sequence=${last}`
    const whole = yield* Effect.promise(() => fetch(url + path))
    const bytes = Buffer.from(yield* Effect.promise(() => whole.arrayBuffer()))
    const rows = yield* lakeRows("from source_prices")
    const file = join(yield* newFolder, "table.parquet")
    writeFileSync(file, bytes)
    assert.deepStrictEqual(yield* fileRows(`from '${file}'`), rows)
    const etag = whole.headers.get("etag") ?? ""
    const range = (from: number, match: string) =>
      Effect.promise(async () => {
        const answer = await fetch(url + path, { headers: { range: `bytes=${from}-`, "if-range": match } })
        return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
      })
    const rest = yield* range(100, etag)
    assert.strictEqual(rest.status, 206)
    assert.deepStrictEqual(Buffer.concat([bytes.subarray(0, 100), rest.bytes]), bytes)
    assert.deepStrictEqual(yield* range(100, '"another"'), { status: 200, bytes })
    assert.strictEqual((yield* range(bytes.length, etag)).status, 416)
    const lines = linesOf(yield* get(path.replace("parquet", "ndjson")))
    assert.strictEqual(lines.length, rows.length)
    for (const wrong of ["nights/x.parquet", "products/x.parquet", `products/${game}.csv`, `products/${game}`])
      assert.strictEqual(problem(yield* get(`/v1/tables/${wrong}`)).status, 404, wrong)
  })

  it("names the wrong parameter, the allowed methods and what is there", function* () {
    const limit = "limit of the query must be a whole number from 1 to 100000, given once"
    for (const [path, reason] of [
      ["changes", "since of the query is missing"],
      ...["", "0x1", "-1", "1.5", "1e99", "1&since=2"].map((since) => [
        `changes?since=${since}`,
        "since of the query must be a whole number from 0 to 9007199254740991, given once"
      ]),
      ["changes?since=0&limit=0", limit],
      ["changes?since=0&limit=100001", limit],
      ["changes?since=0&wait=61", "wait of the query must be a whole number from 0 to 60, given once"],
      ["changes?since=0&games=a&games=b", "games of the query must be given once"],
      ["changes?since=0&game=a", "game of the query does not exist"],
      ["publications?page=2", "page of the query does not exist"],
      [`products/${game}/1?sequence=1`, "sequence of the query does not exist"],
      [`products/${game}/x`, "id of the path must be a whole number from 0 to 9007199254740991, given once"],
      [`tables/products/${game}.parquet?since=1`, "since of the query does not exist"]
    ] as const) {
      const { detail, status } = problem(yield* get(`/v1/${path}`))
      assert.deepStrictEqual([status, detail], [400, `Parameter ${reason}. All parameters: /openapi.json`], path)
    }
    const posted = yield* get("/v1/changes?since=0", {}, "POST")
    assert.deepStrictEqual([problem(posted).status, posted.headers.get("allow")], [405, "GET, HEAD"])
    assert.include(problem(yield* get("/v1/nothing")).detail, "/openapi.json")
  })

  it("answers only under its own names, and no page of another site", function* () {
    const { url } = yield* Served
    yield* assertHosts(url, "/v1/publications")
    yield* assertHosts(url, "/openapi.json")
    for (const origin of ["http://evil.example", "null"])
      assert.strictEqual(problem(yield* get("/v1/publications", { origin })).status, 403)
    assert.strictEqual(problem(yield* get("/v1/publications", { "sec-fetch-site": "cross-site" })).status, 403)
  })

  it("refuses paths that lead elsewhere and heads that are too large, and answers the next request", function* () {
    const { url } = yield* Served
    const places = [
      "/v1/tables/products/..%2f..%2fcurrent.json",
      "/v1/tables/..%2f..%2flake.duckdb/x.parquet",
      "/v1/../current.json",
      "/v1/tables/products/%00.parquet",
      "/v1/%zz",
      "//v1/changes"
    ]
    for (const path of places) {
      const { status, text } = yield* rawRequest(url, [`GET ${path} HTTP/1.1`, "Host: localhost"])
      assert.include([400, 404], status, path)
      assert.notInclude(text, home)
    }
    const large = yield* rawRequest(url, [
      "GET /v1/publications HTTP/1.1",
      "Host: localhost",
      `X: ${"x".repeat(20_000)}`
    ])
    assert.strictEqual(large.status, 431)
    assert.strictEqual((yield* get("/v1/publications")).status, 200)
  })
})

const token = "0123456789abcdef0123456789abcdef"

live("with a token every request needs it, and there are no pages", function* () {
  const { get, url } = yield* serving(Redacted.make(token)).pipe(Effect.provide(homeAt(home)))
  const authorization = `Bearer ${token}`
  for (const path of ["/v1/publications", "/openapi.json", "/mcp", "/", "/console", "/nothing"]) {
    for (const wrong of [
      {},
      { authorization: token },
      { authorization: `${authorization}0` },
      { authorization: "Bearer " }
    ]) {
      const refused = yield* get(path, { headers: wrong })
      assert.strictEqual(problem(refused).status, 401, path)
      assert.strictEqual(refused.headers.get("www-authenticate"), "Bearer")
      assert.notInclude(refused.text, token)
    }
  }
  for (const scheme of ["Bearer ", "bearer ", "BEARER  "])
    assert.strictEqual((yield* get("/v1/publications", { headers: { authorization: scheme + token } })).status, 200)
  for (const page of ["/", "/console", "/own", `/games/${game}/movers`])
    assert.strictEqual(problem(yield* get(page, { headers: { authorization } })).status, 404, page)
  yield* assertHosts(url, "/v1/publications", [`Authorization: ${authorization}`])
})
