import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, Served } from "../Served.ts"
import { sold } from "./Sold.ts"

layer(Served.layer())("the metadata of a sale", (it) => {
  it.effect("are merged: null removes a key, an empty text is a value, {} changes nothing", () =>
    Effect.gen(function* () {
      const { params, seller } = yield* sold()
      const change = (metadata: Readonly<Record<string, string | null>>) =>
        Effect.map(seller.api.sales.changeMetadata({ params, payload: { metadata } }), (sale) => sale.metadata)
      assert.deepStrictEqual(yield* change({ a: "1", b: "2" }), { a: "1", b: "2" })
      assert.deepStrictEqual(yield* change({ b: null, c: "", never: null }), { a: "1", c: "" })
      assert.deepStrictEqual(yield* change({}), { a: "1", c: "" })
    })
  )

  it.effect("have keys of a letter and then letters, digits, _, . and -, up to 64, and values up to 500", () =>
    Effect.gen(function* () {
      const { params, seller } = yield* sold()
      const answer = (metadata: object) =>
        Effect.map(
          ask(`/v1/sales/${params.orderNumber}/metadata`, { key: seller.key, method: "PATCH", body: { metadata } }),
          ({ status, json }) => `${status} ${json.code ?? ""}`.trim()
        )
      for (const key of ["a", "Z9_.-", "k".repeat(64)]) {
        assert.strictEqual(yield* answer({ [key]: "🂡".repeat(500) }), "200", key)
      }
      for (const key of ["", "9a", "_a", "a b", "é", "a/b", "k".repeat(65)]) {
        assert.strictEqual(yield* answer({ [key]: "x" }), "400 BAD_REQUEST", key)
      }
      assert.strictEqual(yield* answer({ a: "🂡".repeat(501) }), "400 BAD_REQUEST")
      assert.strictEqual(yield* answer({ a: 1 }), "400 BAD_REQUEST")
    })
  )

  it.effect("are at most 50; of a change that makes them more, nothing is stored", () =>
    Effect.gen(function* () {
      const { params, sale, seller } = yield* sold()
      const keys = (count: number, from = 0) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at + from}`, "v"]))
      const change = (metadata: Record<string, string>) =>
        seller.api.sales.changeMetadata({ params, payload: { metadata } })
      yield* change(keys(50))
      assert.deepInclude(yield* Effect.flip(change({ ...keys(1, 100), k0: "new" })), {
        code: "METADATA_LIMIT_EXCEEDED"
      })
      assert.deepStrictEqual((yield* sale).metadata, keys(50))
      const ship = { trackingNumber: "WITH-METADATA", metadata: { one: "more" } }
      assert.deepInclude(yield* Effect.flip(seller.api.sales.markShipped({ params, payload: ship })), {
        code: "METADATA_LIMIT_EXCEEDED"
      })
      assert.strictEqual((yield* sale).status, "pending_shipment", "nothing of the call happens")
    })
  )

  it.effect("can be changed in any status, are never shown to the buyer, and leave the order's own date", () =>
    Effect.gen(function* () {
      const { buyer, params, purchase, reach, seller } = yield* sold()
      yield* reach("cancelled_auto")
      const before = yield* purchase
      yield* seller.api.sales.changeMetadata({ params, payload: { metadata: { note: "never-seen" } } })
      assert.deepStrictEqual(yield* purchase, before)
      assert.notInclude(JSON.stringify(yield* buyer.api.purchases.purchases({ query: {} })), "never-seen")
      assert.notInclude(JSON.stringify(yield* buyer.events), "never-seen")
    })
  )
})
