import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, Served } from "../Served.ts"
import { makeTrader } from "../Trader.ts"

/** Ashen Warden of emberfall: Standard and Foil, in en and de. */
const warden = 10007

const raw = { productId: warden, finish: "Standard", language: "en", condition: "NM", quantity: 3 } as const
const eur = (amount: number) => ({ amount, currency: "EUR" }) as const

layer(Served.layer())("changed lines", (it) => {
  it.effect("a line that becomes equal to another one takes its units, and the other one is gone", () =>
    Effect.gen(function* () {
      const { api, events } = yield* makeTrader("absorbing")
      const { created } = yield* api.inventory.createLines({ payload: { lines: [raw, { ...raw, condition: "LP" }] } })
      const [kept = "", gone = ""] = created.map(({ id }) => id)
      const changed = yield* api.inventory.changeLine({ params: { inventoryId: kept }, payload: { condition: "LP" } })
      assert.deepStrictEqual([changed.line.id, changed.line.quantity, changed.remainder], [kept, 6, null])
      assert.deepInclude(yield* Effect.flip(api.inventory.line({ params: { inventoryId: gone } })), {
        code: "NOT_FOUND",
        data: { inventoryId: gone }
      })
      const line = { customId: null, productId: warden }
      assert.deepInclude((yield* events)[1]?.data, {
        changes: [
          { inventoryId: gone, ...line, before: 3, after: 0 },
          { inventoryId: kept, ...line, before: 3, after: 6 }
        ]
      } as never)
    })
  )

  it.effect(
    "a change of fewer units than there are splits the line; the part keeps the comment, not the customId",
    () =>
      Effect.gen(function* () {
        const { api } = yield* makeTrader("splitting")
        const { created } = yield* api.inventory.createLines({
          payload: { lines: [{ ...raw, customId: "box", comment: "sleeved" }] }
        })
        const inventoryId = created[0]!.id
        const { line, remainder } = yield* api.inventory.changeLine({
          params: { inventoryId },
          payload: { count: 1, condition: "MP" }
        })
        assert.deepInclude(line, { customId: null, comment: "sleeved", quantity: 1, condition: "MP" })
        assert.deepInclude(remainder, { id: inventoryId, customId: "box", quantity: 2, condition: "NM" })
        const all = yield* api.inventory.changeLine({ params: { inventoryId }, payload: { count: 2, condition: "MP" } })
        assert.deepStrictEqual([all.line.id, all.line.quantity, all.remainder], [inventoryId, 2, null])
      })
  )

  it.effect("count needs a change, excludes quantity, and is at most what is there", () =>
    Effect.gen(function* () {
      const { api } = yield* makeTrader("counting")
      const { created } = yield* api.inventory.createLines({ payload: { lines: [raw] } })
      const params = { inventoryId: created[0]!.id }
      const change = (payload: Parameters<typeof api.inventory.changeLine>[0]["payload"]) =>
        Effect.flip(api.inventory.changeLine({ params, payload }))
      assert.deepInclude(yield* change({ count: 1 }), { code: "INVALID_COUNT", status: 400 })
      assert.deepInclude(yield* change({ count: 1, quantity: { set: 2 }, condition: "LP" }), { code: "INVALID_COUNT" })
      assert.deepInclude(yield* change({ count: 4, condition: "LP" }), {
        code: "INSUFFICIENT_QUANTITY",
        data: { inventoryId: params.inventoryId, available: 3, requested: 4 }
      })
    })
  )

  it.effect("a quantity is set or adjusted, never below 0", () =>
    Effect.gen(function* () {
      const { api } = yield* makeTrader("adjusting")
      const { created } = yield* api.inventory.createLines({ payload: { lines: [raw] } })
      const params = { inventoryId: created[0]!.id }
      const set = (quantity: { set: number } | { adjust: number }) =>
        Effect.map(api.inventory.changeLine({ params, payload: { quantity } }), ({ line }) => line.quantity)
      assert.deepStrictEqual([yield* set({ set: 9 }), yield* set({ adjust: -4 }), yield* set({ adjust: 1 })], [9, 5, 6])
      assert.deepInclude(yield* Effect.flip(set({ adjust: -7 })), {
        code: "INSUFFICIENT_QUANTITY",
        data: { inventoryId: params.inventoryId, available: 6, requested: 7 }
      })
      assert.strictEqual((yield* ask(`/v1/inventory/${params.inventoryId}`, { method: "PATCH", body: {} })).status, 403)
    })
  )

  it.effect("a PATCH with a key that it does not know is refused", () =>
    Effect.gen(function* () {
      const { api, key } = yield* makeTrader("strict")
      const { created } = yield* api.inventory.createLines({ payload: { lines: [raw] } })
      const { status, json } = yield* ask(`/v1/inventory/${created[0]!.id}`, {
        method: "PATCH",
        key,
        body: { colour: "red" }
      })
      assert.deepStrictEqual([status, json.code, { ...json.data }], [400, "BAD_REQUEST", { field: "colour" }] as never)
    })
  )

  it.effect("a finish or language that the product has not is refused by its own code", () =>
    Effect.gen(function* () {
      const { api } = yield* makeTrader("misprinting")
      const { created } = yield* api.inventory.createLines({ payload: { lines: [raw] } })
      const params = { inventoryId: created[0]!.id }
      const refused = (payload: Parameters<typeof api.inventory.changeLine>[0]["payload"]) =>
        Effect.map(Effect.flip(api.inventory.changeLine({ params, payload })), (error) =>
          "code" in error ? [error.code, error.status, error.data] : []
        )
      const allowed = ["en", "de"]
      assert.deepStrictEqual(
        [
          yield* refused({ finish: "Etched" }),
          yield* refused({ language: "ja" }),
          yield* refused({ language: null }),
          yield* refused({ condition: null })
        ],
        [
          ["INVALID_FINISH", 400, { finish: "Etched", allowed: ["Standard", "Foil"] }],
          ["INVALID_LANGUAGE", 400, { language: "ja", allowed }],
          ["INVALID_LANGUAGE", 400, { language: null, allowed }],
          ["BAD_REQUEST", 400, { field: "line" }]
        ]
      )
    })
  )

  it.effect("a customId is free again when its line is deleted, and taken until then", () =>
    Effect.gen(function* () {
      const { api, events } = yield* makeTrader("freeing")
      const { created } = yield* api.inventory.createLines({ payload: { lines: [{ ...raw, customId: "one" }, raw] } })
      const [one, other] = created.map(({ id }) => ({ inventoryId: id }))
      const take = api.inventory.changeLine({ params: other!, payload: { customId: "one" } })
      assert.deepInclude(yield* Effect.flip(take), { code: "CONFLICT", data: { customId: "one" } })
      assert.deepStrictEqual(yield* api.inventory.deleteLine({ params: one!, payload: {} }), { deleted: true })
      assert.strictEqual((yield* take).line.customId, "one")
      const [, gone] = yield* events
      assert.deepInclude(gone?.data, {
        changes: [{ ...one!, customId: "one", productId: warden, before: 3, after: 0 }]
      } as never)
    })
  )

  it.effect("a line of another seller is not found", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* makeTrader("mine"), yield* makeTrader("theirs")]
      const { created } = yield* theirs.api.inventory.createLines({ payload: { lines: [raw] } })
      const params = { inventoryId: created[0]!.id }
      const refused = [
        yield* Effect.flip(mine.api.inventory.line({ params })),
        yield* Effect.flip(mine.api.inventory.changeLine({ params, payload: { comment: "x" } })),
        yield* Effect.flip(mine.api.inventory.deleteLine({ params, payload: null })),
        yield* Effect.flip(mine.api.listings.list({ params, payload: { price: eur(1) } }))
      ]
      for (const error of refused) assert.deepInclude(error, { code: "NOT_FOUND", status: 404 })
    })
  )
})
