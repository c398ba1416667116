import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, Served } from "../Served.ts"

interface Made {
  readonly account: { readonly id: string; readonly seller: unknown }
  readonly key: { readonly id: string; readonly key: string }
}

const make = (username: string, more: object = {}) =>
  Effect.map(ask("/sandbox/accounts", { body: { username, ...more } }), ({ json }) => json as unknown as Made)

const proSeller = { type: "pro", currency: "EUR" }
const status = (path: string, key: string) => Effect.map(ask(path, { key }), (answer) => answer.status)

layer(Served.layer())("accounts", (it) => {
  it.effect("a pro seller, a private seller and a buyer each see themselves", () =>
    Effect.gen(function* () {
      const pro = yield* make("cards-gmbh", { seller: proSeller })
      const person = yield* make("ann", { country: "US", seller: { type: "individual", currency: "USD" } })
      const buyer = yield* make("bob")
      const seen = yield* Effect.forEach([pro, person, buyer], ({ key }) => ask("/v1/account/me", { key: key.key }))
      assert.deepStrictEqual(
        seen.map(({ json }) => [json["username" as never], json["seller" as never]]),
        [
          ["cards-gmbh", { type: "pro", country: "DE", currency: "EUR", available: true, status: "live" }],
          ["ann", { type: "individual", country: "US", currency: "USD", available: true, status: "live" }],
          ["bob", null]
        ]
      )
    })
  )

  it.effect("a key reads what its scopes allow; another key of the same account reads more", () =>
    Effect.gen(function* () {
      const { account, key } = yield* make("narrow", { seller: proSeller, scopes: ["account:read"] })
      const refused = yield* ask("/v1/account/balance", { key: key.key })
      assert.deepStrictEqual([refused.status, refused.json.code, { ...refused.json.data }], [
        403,
        "FORBIDDEN",
        { required: ["financial:read"], granted: ["account:read"] }
      ] as never)
      const wide = yield* ask(`/sandbox/accounts/${account.id}/keys`, { body: { scopes: ["financial:read"] } })
      const read = yield* ask("/v1/account/balance", { key: wide.json["key" as never] })
      assert.deepStrictEqual([read.status, read.json["available" as never]], [
        200,
        { amount: 0, currency: "EUR" }
      ] as never)
    })
  )

  it.effect("a key with a scope that does not exist is not made", () =>
    Effect.gen(function* () {
      const { account } = yield* make("mistyped")
      for (const [path, body] of [
        ["/sandbox/accounts", { username: "never", scopes: ["sales:red"] }],
        [`/sandbox/accounts/${account.id}/keys`, { scopes: ["*", "sales:red"] }]
      ] as const) {
        const { json, status } = yield* ask(path, { body })
        assert.deepStrictEqual([status, json.code], [400, "BAD_REQUEST"])
        assert.match(json.message, /^scopes\.\d: .*"sales:read"/)
      }
      const keys = (yield* ask("/sandbox/keys")).json.data as unknown as ReadonlyArray<{ accountId: string }>
      assert.lengthOf(
        keys.filter(({ accountId }) => accountId === account.id),
        1
      )
    })
  )

  it.effect("a key is rotated without a gap: the new one works before the old one is refused", () =>
    Effect.gen(function* () {
      const { account, key: old } = yield* make("rotating")
      const made = yield* ask(`/sandbox/accounts/${account.id}/keys`, { body: { scopes: ["*"] } })
      const fresh: string = made.json["key" as never]
      assert.deepStrictEqual(
        [yield* status("/v1/account/me", old.key), yield* status("/v1/account/me", fresh)],
        [200, 200]
      )
      yield* ask(`/sandbox/keys/${old.id}`, { method: "DELETE" })
      const refused = yield* ask("/v1/games", { key: old.key })
      assert.deepStrictEqual(refused.json as unknown, {
        code: "UNAUTHORIZED",
        status: 401,
        message: "Unauthorized",
        data: {}
      })
      assert.strictEqual(yield* status("/v1/account/me", fresh), 200)
    })
  )

  it.effect("a secret is shown once and is not in the list of keys", () =>
    Effect.gen(function* () {
      const { key } = yield* make("secretive")
      const listed = yield* ask("/sandbox/keys")
      const text = JSON.stringify(listed.json)
      assert.include(text, key.id)
      assert.notInclude(text, key.key)
    })
  )

  it.effect("an account without access to the API is told so", () =>
    Effect.gen(function* () {
      const { account, key } = yield* make("shut-out")
      yield* ask(`/sandbox/accounts/${account.id}`, { method: "PATCH", body: { apiAccess: false } })
      const { status, json } = yield* ask("/v1/games", { key: key.key })
      assert.deepStrictEqual([status, json.code, { ...json.data }], [403, "API_ACCESS_DISABLED", {}])
    })
  )

  it.effect("only a seller has a wallet and a vacation", () =>
    Effect.gen(function* () {
      const { key } = yield* make("reader")
      const answers = [
        yield* ask("/v1/account/balance", { key: key.key }),
        yield* ask("/v1/account/vacation", { key: key.key })
      ]
      assert.deepStrictEqual(
        answers.map(({ status, json }) => [status, json.code]),
        [
          [404, "WALLET_NOT_FOUND"],
          [409, "NOT_A_SELLER"]
        ]
      )
    })
  )

  it.effect("a vacation pauses a seller and ends again; a suspended one cannot choose", () =>
    Effect.gen(function* () {
      const { account, key } = yield* make("resting", { seller: proSeller })
      const set = (enabled: boolean) => ask("/v1/account/vacation", { key: key.key, body: { enabled } })
      const on = (yield* set(true)).json as unknown as { enabled: boolean; status: string; since: string }
      assert.deepStrictEqual([on.enabled, on.status], [true, "paused"])
      assert.match(on.since, /^\d{4}-\d\d-\d\dT/)
      assert.deepStrictEqual((yield* set(false)).json as unknown, { enabled: false, status: "active", since: null })
      yield* ask(`/sandbox/accounts/${account.id}`, { method: "PATCH", body: { status: "suspended" } })
      const { status, json } = yield* set(true)
      assert.deepStrictEqual([status, json.code, { ...json.data }], [
        409,
        "INVALID_TRANSITION",
        { from: "suspended", to: "paused" }
      ] as never)
    })
  )

  it.effect("a username can be taken only once", () =>
    Effect.gen(function* () {
      yield* make("twice")
      const { status, json } = yield* ask("/sandbox/accounts", { body: { username: "twice" } })
      assert.deepStrictEqual([status, json.code], [409, "CONFLICT"])
    })
  )

  it.effect("the same Idempotency-Key gives the same answer for a day, and writes once", () =>
    Effect.gen(function* () {
      const { key } = yield* make("repeating", { seller: proSeller })
      const set = (enabled: boolean) =>
        ask("/v1/account/vacation", { key: key.key, body: { enabled }, headers: { "idempotency-key": "one" } })
      const first = yield* set(true)
      assert.deepStrictEqual((yield* set(true)).json as unknown, first.json as unknown)
      yield* ask("/sandbox/clock", { body: { seconds: 24 * 3600 + 1 } })
      assert.strictEqual((yield* set(false)).json["enabled" as never], false)
    })
  )

  it.effect("an error is repeated with its Idempotency-Key, too", () =>
    Effect.gen(function* () {
      const { key } = yield* make("no-seller")
      const set = ask("/v1/account/vacation", {
        key: key.key,
        body: { enabled: true },
        headers: { "idempotency-key": "two" }
      })
      const [first, second] = [yield* set, yield* set]
      assert.deepStrictEqual([first.status, first.json.code], [409, "NOT_A_SELLER"])
      assert.deepStrictEqual([second.status, second.json as unknown], [409, first.json as unknown])
    })
  )
})
