import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { request } from "node:http"
import { gunzipSync } from "node:zlib"
import { makeRateBucket } from "../../src/market/limits/RateBucket.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { ask, sampleFolder, Served, testKey } from "./Served.ts"
import { suite } from "../support/sandbox.ts"
import { effect, live } from "../support/suite.ts"

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

suite(Served.layer())("answers", (it) => {
  it("answers are compressed for clients that accept gzip, and the same text for others", function* () {
    const { url } = yield* Served
    for (const path of [
      "products?limit=200",
      "games/emberfall/expansions",
      "feeds/emberfall/changelog?includeChanges=true"
    ].map((each) => `/v1/${each}`)) {
      const packed = yield* rawBody(url + path, "br, gzip")
      const plain = yield* rawBody(url + path, "gzip;q=0")
      assert.deepEqual([packed.encoding, plain.encoding], ["gzip", undefined])
      assert.strictEqual(gunzipSync(packed.body).toString(), plain.body.toString())
    }
  })

  it("a page is one line, and records keep the text they are stored with", function* () {
    const { url } = yield* Served
    const { body } = yield* rawBody(`${url}/v1/products/10007`, "identity")
    assert.match(body.toString(), /^\{"id":10007,"gameId":"emberfall",/)
    assert.notInclude(body.toString(), "\n")
  })

  it("a method that an address does not take is a 405, which names those that it takes", function* () {
    for (const [method, path, allowed] of [
      ["POST", "/v1/games", "GET, HEAD"],
      ["OPTIONS", "/v1/products/search?limit=1", "GET, HEAD, POST"],
      ["PUT", "/v1/inventory/abc", "DELETE, GET, HEAD, PATCH"],
      ["DELETE", "/sandbox/deploy", "POST"]
    ] as const) {
      const { headers, json, status } = yield* ask(path, { method })
      assert.deepEqual([status, json.code, headers.get("allow")], [405, "METHOD_NOT_ALLOWED", allowed], path)
    }
    const { headers, json, status } = yield* ask("/v1/nothing", { method: "POST" })
    assert.deepEqual([status, json.code, headers.get("allow")], [404, "NOT_FOUND", null])
  })

  it("a key that a control route does not know is refused, in a query and a body", function* () {
    for (const [path, body, field] of [
      ["/sandbox/accounts", { username: "ann", sller: {} }, "sller"],
      ["/sandbox/accounts", { username: "ann", seller: { type: "pro", currency: "EUR", kind: 1 } }, "seller.kind"],
      ["/sandbox/orders?statsu=shipped", undefined, "statsu"]
    ] as const) {
      const { json, status } = yield* ask(path, { body })
      assert.strictEqual(`${status} ${json.message}`, `400 ${field}: there is no such field here`)
    }
  })

  it("GET /sandbox/faults without a fault plan says that faults are off", function* () {
    const { json } = yield* ask("/sandbox/faults")
    assert.deepEqual(json as unknown, { on: false, plan: {}, requests: 0, injected: {} })
  })
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
  effect("names the file that is missing and the next step", function* () {
    const error = yield* Effect.flip(serveSandbox({ catalogue: "/no/such/folder" }))
    assert.strictEqual(error._tag, "CatalogueUnreadable")
    assert.match(error.message, /\/no\/such\/folder\/games\.json .*cardlake sandbox --catalogue/)
  })

  effect("names the port that is taken", function* () {
    const { url } = yield* serveSandbox({ catalogue: sampleFolder })
    const error = yield* Effect.flip(serveSandbox({ catalogue: sampleFolder, port: Number(new URL(url).port) }))
    assert.strictEqual(error._tag, "PortUnavailable")
  })

  live("stops at once with a kept-alive connection open", function* () {
    const answeredAt = yield* Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* serveSandbox({ catalogue: sampleFolder, key: testKey })
        yield* rawBody(`${url}/v1/games`, "identity")
        return performance.now()
      })
    )
    // Node itself waits for five seconds.
    assert.isBelow(performance.now() - answeredAt, 4500)
  })
})
