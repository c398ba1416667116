import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { request } from "node:http"
import { gunzipSync } from "node:zlib"
import { makeRateBucket } from "../../src/market/limits/RateBucket.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { ask, sampleFolder, search, Served, testKey } from "./Served.ts"

/** The body byte for byte: `fetch` would unpack it. */
const rawBody = (url: string, encoding: string) =>
  Effect.callback<{ readonly encoding: string | undefined; readonly body: Buffer }>((resume) => {
    const headers = { authorization: `Bearer ${testKey}`, "accept-encoding": encoding }
    request(url, { headers }, (answer) => {
      const parts: Array<Buffer> = []
      answer.on("data", (part: Buffer) => parts.push(part))
      answer.on("end", () =>
        resume(Effect.succeed({ encoding: answer.headers["content-encoding"], body: Buffer.concat(parts) }))
      )
    }).end()
  })

layer(Served.layer())("answers", (it) => {
  for (const path of [
    "/v1/products?limit=200",
    "/v1/games/emberfall/expansions",
    "/v1/feeds/emberfall/changelog?includeChanges=true"
  ]) {
    it.effect(`${path} is compressed for clients that accept gzip, and the same text for others`, () =>
      Effect.gen(function* () {
        const { url } = yield* Served
        const packed = yield* rawBody(url + path, "br, gzip")
        const plain = yield* rawBody(url + path, "gzip;q=0")
        assert.deepStrictEqual([packed.encoding, plain.encoding], ["gzip", undefined])
        assert.strictEqual(gunzipSync(packed.body).toString(), plain.body.toString())
      })
    )
  }

  it.effect("a page is one line, and records keep the text they are stored with", () =>
    Effect.gen(function* () {
      const { url } = yield* Served
      const { body } = yield* rawBody(`${url}/v1/products/10007`, "identity")
      assert.match(body.toString(), /^\{"id":10007,"gameId":"emberfall",/)
      assert.notInclude(body.toString(), "\n")
    })
  )

  it.effect("every answer has its own request id and the rate-limit headers, errors too", () =>
    Effect.gen(function* () {
      const answers = [yield* ask("/v1/games"), yield* ask("/v1/none"), yield* search("{")]
      const ids = answers.map(({ headers }) => headers.get("x-request-id"))
      assert.strictEqual(new Set(ids).size, 3)
      assert.isTrue(ids.every((id) => id !== null))
      assert.isTrue(answers.every(({ headers }) => Number(headers.get("x-ratelimit-remaining")) >= 0))
      assert.isTrue(answers.every(({ headers }) => Number(headers.get("x-ratelimit-limit")) > 0))
    })
  )

  it.effect("the contract is served at /openapi.json without a key", () =>
    Effect.gen(function* () {
      const { status, json } = yield* ask("/openapi.json", { headers: { authorization: "" } })
      assert.deepStrictEqual([status, json.openapi], [200, "3.1.0"])
      assert.includeMembers(Object.keys(json.paths), ["/v1/products/search", "/v1/feeds/{gameId}/changelog"])
      assert.notInclude(Object.keys(json.paths), "/sandbox/deploy")
    })
  )

  it.effect("/sandbox/openapi.json has the control routes, each with a summary", () =>
    Effect.gen(function* () {
      const { json } = yield* ask("/sandbox/openapi.json", { headers: { authorization: "" } })
      const paths = json.paths as Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>>
      const operations = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { summary }]) => ({ route: `${method} ${path}`, summary }))
      )
      assert.includeMembers(
        operations.map(({ route }) => route),
        ["post /sandbox/deploy", "get /sandbox/faults", "post /sandbox/checkout"]
      )
      for (const { route, summary } of operations) assert.match(summary ?? "", /^[A-Z]/, route)
    })
  )

  it.effect("GET /sandbox/faults without a fault plan says that faults are off", () =>
    Effect.gen(function* () {
      const { json } = yield* ask("/sandbox/faults")
      assert.deepStrictEqual(json as unknown, { on: false, plan: {}, requests: 0, injected: {} })
    })
  )
})

layer(Served.layer({ rateLimit: 3 }))("rate limit", (it) => {
  it.effect("beyond the burst the answer is 429 with the wait in header and body", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach([1, 2, 3, 4], () => ask("/v1/games"))
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 429]
      )
      const { headers, json } = answers[3]!
      const wait = Number(headers.get("retry-after"))
      assert.isTrue(wait >= 1 && wait <= 20)
      assert.deepStrictEqual({ ...json.data }, { bucket: "global", limit: 3, retryAfter: wait })
      assert.deepStrictEqual([json.code, headers.get("x-ratelimit-remaining")], ["TOO_MANY_REQUESTS", "0"])
    })
  )
})

describe("RateBucket", () => {
  it("fills again evenly over a minute", () => {
    let now = 0
    const bucket = makeRateBucket({ name: "global", limit: 60, windowSeconds: 60 }, () => now)
    for (let at = 0; at < 60; at++) assert.strictEqual(bucket.take(), 0)
    assert.strictEqual(bucket.take(), 1)
    now = 1000
    assert.strictEqual(bucket.take(), 0)
    assert.strictEqual(bucket.take(), 1)
    now = 3_600_000
    assert.strictEqual(bucket.remaining(), 60)
  })
})

describe("serveSandbox", () => {
  it.effect("names the file that is missing and the next step", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(serveSandbox({ catalogue: "/no/such/folder" }))
      assert.strictEqual(error._tag, "CatalogueUnreadable")
      assert.match(error.message, /\/no\/such\/folder\/games\.json .*cardlake sandbox --catalogue/)
    })
  )

  it.effect("names the port that is taken", () =>
    Effect.gen(function* () {
      const { url } = yield* serveSandbox({ catalogue: sampleFolder })
      const error = yield* Effect.flip(serveSandbox({ catalogue: sampleFolder, port: Number(new URL(url).port) }))
      assert.strictEqual(error._tag, "PortUnavailable")
    })
  )

  it.live("stops at once with a kept-alive connection open", () =>
    Effect.gen(function* () {
      const asked = yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* serveSandbox({ catalogue: sampleFolder, key: testKey })
          yield* rawBody(`${url}/v1/games`, "identity")
          return performance.now()
        })
      )
      // Node itself waits for five seconds.
      assert.isBelow(performance.now() - asked, 4500)
    })
  )
})
