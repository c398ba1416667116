import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { fileURLToPath } from "node:url"

const catalogue = fileURLToPath(new URL("../../data/sample", import.meta.url))

it.live("the account has every field that the service always sends", () =>
  Effect.gen(function* () {
    const { key, url } = yield* serveSandbox({ catalogue, scopes: ["account:read"] })
    const answer = yield* Effect.promise(() =>
      fetch(`${url}/v1/account/me`, { headers: { authorization: `Bearer ${key}` } })
    )
    assert.deepStrictEqual(yield* Effect.promise(() => answer.json()), {
      id: "acc_sandbox",
      username: "sandbox",
      email: "sandbox@example.com",
      imageUrl: "",
      createdAt: "2026-01-01T00:00:00.000Z",
      seller: null,
      scopes: ["account:read"]
    })
  }).pipe(Effect.scoped)
)
