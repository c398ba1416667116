import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, Served } from "../Served.ts"
import { suite } from "../../support/sandbox.ts"

interface Operation {
  readonly method: string
  readonly path: string
  readonly scope: string | undefined
  readonly parameters: ReadonlyArray<string>
}

interface OpenApiOperation {
  readonly description?: string
  readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }>
}

/** Ids that the catalogue has; for any other parameter an id is sent that nothing has. */
const ids: Readonly<Record<string, string>> = { gameId: "emberfall", productId: "10238", expansionId: "301" }

/** Every operation that is served, with a path that can be asked for. */
const operations = Effect.map(ask("/openapi.json"), ({ json }) =>
  Object.entries(json.paths as Record<string, Record<string, OpenApiOperation>>).flatMap(([template, item]) =>
    Object.entries(item).map(([method, { description, parameters = [] }]): Operation => ({
      method: method.toUpperCase(),
      path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "000000000000000000000000"),
      scope: /Needs the scope (\S+)\./.exec(description ?? "")?.[1],
      parameters: parameters.flatMap((each) => (each.in === "query" ? [each.name] : []))
    }))
  )
)

const keyWith = Effect.fnUntraced(function* (username: string, scopes: ReadonlyArray<string>) {
  const seller = { type: "pro", currency: "EUR" }
  const { json } = yield* ask("/sandbox/accounts", { body: { username, seller, scopes } })
  return (json as unknown as { key: { key: string } }).key.key
})

/** Lists with offsets, at most 200 a page; all others have cursors, at most 100. Spec: Limits. */
const byOffset = new Set(["GET /v1/games/emberfall/expansions", "GET /v1/products", "POST /v1/products/search"])

const withBody = (method: string) => (method === "GET" ? {} : { body: {} })

suite(Served.layer({ live: "last" }))("every operation", (it) => {
  it("needs a key and its scope: without a key a 401 that does not say why, without the scope a 403 that says both", function* () {
    const all = yield* operations
    assert.isAbove(all.length, 30)
    const every = yield* keyWith("every-scope", ["*"])
    const other = yield* keyWith("other-scope", ["disputes:read"])
    const named = new Map<string | undefined, string>()
    for (const scope of new Set(all.flatMap(({ scope }) => scope ?? [])))
      named.set(scope, yield* keyWith(`only-${scope}`, [scope]))
    const unauthorized = { code: "UNAUTHORIZED", status: 401, message: "Unauthorized", data: {} }
    for (const { method, path, scope } of all) {
      const operation = `${method} ${path}`
      const answer = (key: string) => ask(path, { method, key, ...withBody(method) })
      // The whole key counts, not just its beginning.
      const nearly = yield* answer(every.slice(0, -1))
      assert.deepEqual([nearly.status, nearly.json as unknown], [401, unauthorized], operation)
      const { json, status } = yield* answer(other)
      if (scope === undefined) assert.notStrictEqual(status, 403, operation)
      else {
        const data = { required: [scope], granted: ["disputes:read"] }
        assert.deepEqual([status, json.code, { ...json.data }], [403, "FORBIDDEN", data] as never)
      }
      for (const key of [every, named.get(scope) ?? every]) {
        const { json, status } = yield* answer(key)
        assert.notInclude(["UNAUTHORIZED", "FORBIDDEN"], json.code, operation)
        assert.isBelow(status, 500, operation)
      }
    }
  })

  it.full(
    "that lists refuses a page of 0, one above its limit and one that is not a number, and names the field",
    function* () {
      const key = yield* keyWith("reader-of-lists", ["*"])
      const lists = (yield* operations).filter(({ parameters }) => parameters.includes("limit"))
      assert.isAtLeast(lists.length, 7)
      for (const { method, parameters, path } of lists) {
        const most = byOffset.has(`${method} ${path}`) ? 200 : 100
        assert.strictEqual(parameters.includes("offset"), most === 200, `${method} ${path}`)
        assert.strictEqual(parameters.includes("cursor"), most === 100, `${method} ${path}`)
        const page = (query: string) =>
          Effect.map(ask(`${path}?${query}`, { method, key, ...withBody(method) }), ({ json, status }) => [
            status,
            json.data?.["field"]
          ])
        for (const limit of ["0", String(most + 1), "-1", "1.5", "many"]) {
          assert.deepEqual(yield* page(`limit=${limit}`), [400, "limit"], `${method} ${path} ${limit}`)
        }
        assert.deepEqual(yield* page(`limit=${most}`), [200, undefined], `${method} ${path}`)
        const place = most === 200 ? "offset" : "cursor"
        const wrong =
          most === 200 ? ["-1", "x", "1.5"] : ["never-given", "%00", Buffer.from("[1]").toString("base64url")]
        for (const value of wrong) {
          assert.deepEqual(yield* page(`${place}=${value}`), [400, place], `${method} ${path} ${value}`)
        }
      }
    }
  )
})

suite(Served.layer({ rateLimit: 1 }))("every operation of an account whose bucket is empty", (it) => {
  it.full("is a 429 with the bucket, its limit and the wait in header and body", function* () {
    const key = yield* keyWith("hasty", ["*"])
    yield* ask("/v1/games", { key })
    for (const { method, path } of yield* operations) {
      const { headers, json, status } = yield* ask(path, { method, key, ...withBody(method) })
      assert.deepEqual([status, json.code], [429, "TOO_MANY_REQUESTS"], `${method} ${path}`)
      const retryAfter = Number(headers.get("retry-after"))
      assert.isTrue(retryAfter >= 55 && retryAfter <= 60)
      assert.deepEqual({ ...json.data }, { bucket: "global", limit: 1, retryAfter })
      assert.strictEqual(headers.get("x-ratelimit-remaining"), "0")
    }
    yield* ask("/sandbox/clock", { body: { seconds: 60 } })
    assert.strictEqual((yield* ask("/v1/games", { key })).status, 200)
  })
})
