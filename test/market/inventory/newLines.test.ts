import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, Served } from "../Served.ts"
import { makeTrader } from "../Trader.ts"

/** Ashen Warden of emberfall: Standard and Foil, in en and de. */
const warden = 10007
/** A sealed prerelease kit, in en. */
const kit = 10046

const raw = { productId: warden, finish: "Standard", language: "en", condition: "NM", quantity: 3 } as const
const slab = { gradingService: "PSA", grade: "9.5", certification: "123" } as const
const eur = (amount: number) => ({ amount, currency: "EUR" }) as const

layer(Served.layer())("new lines", (it) => {
  it.effect("a new line comes back with every key, and is read again as it was written", () =>
    Effect.gen(function* () {
      const { api } = yield* makeTrader("keys")
      const created = yield* api.inventory.createLines({
        payload: { lines: [{ ...raw, customId: "A-1", comment: "bent", listing: { price: eur(14.99) } }] }
      })
      const [line] = created.created
      const { id, updatedAt, ...rest } = line!
      assert.match(`${id} ${updatedAt}`, /^[0-9a-f]{24} \d{4}-\d\d-\d\dT[\d:.]+Z$/)
      assert.deepStrictEqual(rest, {
        customId: "A-1",
        comment: "bent",
        notes: null,
        location: null,
        tags: [],
        productId: warden,
        game: "emberfall",
        finish: "Standard",
        condition: "NM",
        language: "en",
        quantity: 3,
        graded: null,
        forSale: true,
        listing: { price: eur(14.99) },
        photos: []
      })
      assert.deepStrictEqual(yield* api.inventory.line({ params: { inventoryId: id } }), line)
    })
  )

  it.effect("of several lines the good ones are created, and each bad one says why", () =>
    Effect.gen(function* () {
      const { api } = yield* makeTrader("reasons")
      const { condition: _condition, ...unworn } = raw
      const { language: _language, ...unspoken } = raw
      const lines = [
        { ...raw, customId: "taken" },
        { ...raw, productId: 1 },
        { ...raw, language: "ja" },
        { ...raw, finish: "Etched" },
        { ...raw, quantity: 0 },
        { ...raw, quantity: 1.5 },
        unworn,
        { ...raw, graded: slab },
        { ...raw, productId: kit },
        { ...raw, customId: "taken" },
        { ...raw, location: "shelf" },
        { ...raw, tags: ["new"] },
        { ...unworn, graded: slab },
        { ...unworn, productId: String(kit) },
        unspoken,
        { ...unspoken, language: null },
        { productId: kit, finish: "Standard", quantity: 1 }
      ]
      const { created, errors } = yield* api.inventory.createLines({ payload: { lines } })
      assert.deepStrictEqual(
        errors.map(({ index, code }) => [index, code]),
        [
          [1, "PRODUCT_NOT_FOUND"],
          [2, "INVALID_LANGUAGE"],
          [3, "INVALID_FINISH"],
          [4, "INVALID_QUANTITY"],
          [5, "INVALID_QUANTITY"],
          [6, "CONDITION_REQUIRED"],
          [7, "INVALID_IDENTITY"],
          [8, "INVALID_IDENTITY"],
          [9, "CUSTOM_ID_CONFLICT"],
          [10, "LOCATION_NOT_FOUND"],
          [11, "TAG_NOT_FOUND"],
          [14, "INVALID_LANGUAGE"],
          [15, "INVALID_LANGUAGE"]
        ]
      )
      assert.deepStrictEqual(
        created.map(({ productId, graded, language }) => [productId, graded, language]),
        [
          [warden, null, "en"],
          [warden, slab, "en"],
          [kit, null, "en"],
          [kit, null, null]
        ]
      )
    })
  )

  it.effect("a price in another currency, or an account that may not sell, refuses the whole call", () =>
    Effect.gen(function* () {
      const { api, events } = yield* makeTrader("euro")
      const lines = [raw, { ...raw, finish: "Foil", listing: { price: { amount: 1, currency: "USD" } } }] as const
      const mismatch = yield* Effect.flip(api.inventory.createLines({ payload: { lines } }))
      assert.deepInclude(mismatch, { code: "CURRENCY_MISMATCH", data: { provided: "USD", expected: "EUR" } })
      assert.deepStrictEqual([(yield* api.inventory.lines({ query: {} })).data, yield* events], [[], []])
      for (const trader of [
        yield* makeTrader("only-buys", null),
        yield* makeTrader("not-live", { type: "pro", currency: "EUR", staged: true })
      ]) {
        const listed = [raw, { ...raw, finish: "Foil", listing: { price: eur(1) } }] as const
        const refused = yield* Effect.flip(trader.api.inventory.createLines({ payload: { lines: listed } }))
        assert.deepInclude(refused, { code: "SELLER_ACCOUNT_NOT_ACTIVE", status: 403 })
        assert.deepStrictEqual((yield* trader.api.inventory.lines({ query: {} })).data, [])
      }
    })
  )

  it.effect("an account that does not sell keeps its own stock, and lists none of it", () =>
    Effect.gen(function* () {
      const { api } = yield* makeTrader("collects", null)
      const { created, errors } = yield* api.inventory.createLines({ payload: { lines: [raw] } })
      assert.deepStrictEqual([created.map(({ quantity, forSale }) => [quantity, forSale]), errors], [[[3, false]], []])
      const params = { inventoryId: created[0]!.id }
      const { line } = yield* api.inventory.changeLine({ params, payload: { quantity: { set: 5 } } })
      assert.strictEqual(line.quantity, 5)
      assert.deepInclude(yield* Effect.flip(api.listings.list({ params, payload: { price: eur(1) } })), {
        code: "SELLER_ACCOUNT_NOT_ACTIVE",
        status: 403
      })
    })
  )

  it.effect("equal lines without a customId become one; those with one stay apart", () =>
    Effect.gen(function* () {
      const { api, events } = yield* makeTrader("merging")
      const lines = [raw, { ...raw, quantity: 4 }, { ...raw, customId: "x" }, { ...raw, listing: { price: eur(2) } }]
      const { created } = yield* api.inventory.createLines({ payload: { lines } })
      assert.deepStrictEqual(created[0], created[1])
      const { data } = yield* api.inventory.lines({ query: {} })
      assert.deepStrictEqual(
        data.map(({ customId, forSale, quantity }) => [customId, forSale, quantity]),
        [
          [null, false, 7],
          ["x", false, 3],
          [null, true, 3]
        ]
      )
      const [event] = yield* events
      assert.deepInclude(event, { type: "inventory.quantity.changed" })
      assert.deepStrictEqual(event?.data, {
        reason: "edit",
        changes: data.map(({ customId, id, productId, quantity }) => ({
          inventoryId: id,
          customId,
          productId,
          before: 0,
          after: quantity
        }))
      } as never)
    })
  )

  it.effect("a line has as many units as a number carries exactly, and no more", () =>
    Effect.gen(function* () {
      const { api } = yield* makeTrader("overflowing")
      const lines = [
        { ...raw, quantity: Number.MAX_SAFE_INTEGER },
        { ...raw, quantity: 1 }
      ]
      const { created, errors } = yield* api.inventory.createLines({ payload: { lines } })
      assert.deepStrictEqual(
        [created.map(({ quantity }) => quantity), errors],
        [[9007199254740991], [{ index: 1, code: "INVALID_QUANTITY", data: { quantity: 1 } }]]
      )
      const more = api.inventory.changeLine({
        params: { inventoryId: created[0]!.id },
        payload: { quantity: { adjust: 1 } }
      })
      assert.deepInclude(yield* Effect.flip(more), { code: "BAD_REQUEST", data: { field: "quantity" } })
    })
  )

  it.effect("the same Idempotency-Key creates once", () =>
    Effect.gen(function* () {
      const { api, key } = yield* makeTrader("once")
      const create = ask("/v1/inventory", { key, body: { lines: [raw] }, headers: { "idempotency-key": "k" } })
      const [first, second] = [yield* create, yield* create]
      assert.deepStrictEqual([second.status, second.json as unknown], [200, first.json as unknown])
      assert.deepStrictEqual(
        (yield* api.inventory.lines({ query: {} })).data.map(({ quantity }) => quantity),
        [3]
      )
    })
  )

  it.effect("an Idempotency-Key with another body or address is a 422, and writes nothing", () =>
    Effect.gen(function* () {
      const { api, key } = yield* makeTrader("reusing")
      const send = (path: string, body: object) => ask(path, { key, body, headers: { "idempotency-key": "k" } })
      const answers = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, at) => ({ lines: [{ ...raw, quantity: at + 1 }] })),
        (body) => send("/v1/inventory", body),
        { concurrency: 100 }
      )
      const refused = answers.filter(({ status }) => status === 422)
      assert.deepStrictEqual([answers.filter(({ status }) => status === 200).length, refused.length], [1, 99])
      assert.deepStrictEqual(
        [refused[0]?.json.code, refused[0]?.json.data as unknown],
        ["IDEMPOTENCY_KEY_REUSED", { request: "POST /v1/inventory" }]
      )
      const other = yield* send("/v1/inventory/tags", { name: "x" })
      assert.deepStrictEqual([other.status, other.json.code], [422, "IDEMPOTENCY_KEY_REUSED"])
      assert.strictEqual((yield* api.inventory.lines({ query: {} })).data.length, 1)
      assert.deepStrictEqual(yield* api.labels.tags(), [])
    })
  )
})
