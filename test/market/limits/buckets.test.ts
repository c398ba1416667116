import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, Served } from "../Served.ts"

interface Limited {
  readonly bucket: string
  readonly limit: number
  readonly retryAfter: number
}

const wait = (seconds: number) => ask("/sandbox/clock", { body: { seconds } })

/** Asks until a bucket other than `global` is empty, waiting a minute wherever `global` is. */
const askUntilEmpty = Effect.fnUntraced(function* (path: string) {
  for (;;) {
    const { headers, json, status } = yield* ask(path)
    if (status === 200) continue
    const data = json.data as unknown as Limited
    if (data.bucket !== "global") return { ...data, status, header: Number(headers.get("retry-after")) }
    yield* wait(60)
  }
})

const product = "/v1/products/10238"

// A tenth of the service's own limits: six requests a minute, and a tenth of its hourly buckets.
layer(Served.layer({ rateLimit: 6 }))("rate buckets", (it) => {
  for (const [path, bucket, limit] of [
    [`${product}/sales`, "product-sales", 6],
    [`${product}/prices/history`, "pricing-history", 12],
    [`${product}/prices`, "pricing-snapshot", 60]
  ] as const) {
    it.effect(`${bucket} is empty after ${limit} requests and full again after an hour`, () =>
      Effect.gen(function* () {
        const { header, retryAfter, ...refused } = yield* askUntilEmpty(path)
        assert.deepStrictEqual(refused, { bucket, limit, status: 429 })
        // One request comes back every hour / limit.
        assert.isTrue(retryAfter >= 1 && retryAfter <= 3600 / limit)
        assert.strictEqual(header, retryAfter)
        yield* wait(retryAfter)
        assert.strictEqual((yield* ask(path)).status, 200)
        yield* wait(3600)
        for (let each = 0; each < 6; each++) assert.strictEqual((yield* ask(path)).status, 200)
      })
    )
  }

  it.effect("global belongs to the account: a second key shares it, and another account has its own", () =>
    Effect.gen(function* () {
      const made = yield* ask("/sandbox/accounts", { body: { username: "someone-else" } })
      const { account, key } = made.json as unknown as { account: { id: string }; key: { key: string } }
      const second = yield* ask(`/sandbox/accounts/${account.id}/keys`, { body: { scopes: ["*"] } })
      const left = (key: string) =>
        Effect.map(ask("/v1/games", { key }), ({ headers, status }) => [
          status,
          Number(headers.get("x-ratelimit-remaining"))
        ])
      assert.deepStrictEqual(yield* left(key.key), [200, 5])
      assert.deepStrictEqual(yield* left(second.json["key" as never]), [200, 4])
      yield* wait(60)
      const { headers } = yield* ask("/v1/games", { key: "wrong" })
      assert.deepStrictEqual([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")], ["6", "6"])
    })
  )
})
