import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, Served } from "../Served.ts"
import { suite, values } from "../../support/sandbox.ts"

interface Made {
  readonly account: { readonly id: string; readonly seller: unknown }
  readonly key: { readonly id: string; readonly key: string }
}

const make = (username: string, more: object = {}) =>
  Effect.map(ask("/sandbox/accounts", { body: { username, ...more } }), ({ json }) => json as unknown as Made)

suite(Served.layer())("accounts", (it) => {
  it("a key with a scope that does not exist is not made", function* () {
    const { account } = yield* make("mistyped")
    for (const [path, body] of [
      ["/sandbox/accounts", { username: "never", scopes: ["sales:red"] }],
      [`/sandbox/accounts/${account.id}/keys`, { scopes: ["*", "sales:red"] }]
    ] as const) {
      const { json, status } = yield* ask(path, { body })
      assert.deepEqual([status, json.code], [400, "BAD_REQUEST"])
      assert.match(json.message, /^scopes\.\d: .*"sales:read"/)
    }
    const keys = (yield* ask("/sandbox/keys")).json.data as unknown as ReadonlyArray<{ accountId: string }>
    assert.strictEqual(values(keys, "accountId").filter((id) => id === account.id).length, 1)
  })

  it("a secret is shown once and is not in the list of keys", function* () {
    const { key } = yield* make("secretive")
    const listed = yield* ask("/sandbox/keys")
    const text = JSON.stringify(listed.json)
    assert.include(text, key.id)
    assert.notInclude(text, key.key)
  })

  it("a username can be taken only once", function* () {
    yield* make("twice")
    const { status, json } = yield* ask("/sandbox/accounts", { body: { username: "twice" } })
    assert.deepEqual([status, json.code], [409, "CONFLICT"])
  })
})
