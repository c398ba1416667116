import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { suite, values } from "../../support/sandbox.ts"
import { picture } from "../facts/world/picture.ts"
import { ask, Served, makeTrader } from "../Served.ts"

/** Ashen Warden of emberfall: Standard and Foil, in en and de. */
const raw = { productId: 10_007, finish: "Standard", language: "en", condition: "NM", quantity: 3 } as const
const eur = (amount: number) => ({ amount, currency: "EUR" }) as const

const withLine = Effect.fnUntraced(function* (username: string, more: object = {}) {
  const trader = yield* makeTrader(username)
  const { created } = yield* trader.api.inventory.createLines({ payload: { lines: [{ ...raw, ...more }] } })
  return { ...trader, params: { inventoryId: created[0]!.id } }
})

suite(Served.layer())("new lines", (it) => {
  it("a price in another currency, or an account that may not sell, refuses the whole call", function* () {
    const { api, events } = yield* makeTrader("euro")
    const lines = [raw, { ...raw, finish: "Foil", listing: { price: { amount: 1, currency: "USD" } } }] as const
    const mismatch = yield* Effect.flip(api.inventory.createLines({ payload: { lines } }))
    assert.deepInclude(mismatch, { code: "CURRENCY_MISMATCH", data: { provided: "USD", expected: "EUR" } })
    assert.deepEqual([(yield* api.inventory.lines({ query: {} })).data, yield* events], [[], []])
    for (const trader of [
      yield* makeTrader("only-buys", null),
      yield* makeTrader("not-live", { type: "pro", currency: "EUR", staged: true })
    ]) {
      const listed = [raw, { ...raw, finish: "Foil", listing: { price: eur(1) } }] as const
      const refused = yield* Effect.flip(trader.api.inventory.createLines({ payload: { lines: listed } }))
      assert.deepInclude(refused, { code: "SELLER_ACCOUNT_NOT_ACTIVE", status: 403 })
      assert.deepEqual((yield* trader.api.inventory.lines({ query: {} })).data, [])
    }
  })

  it("an Idempotency-Key with another body or address is a 422, and writes nothing", function* () {
    const { api, key } = yield* makeTrader("reusing")
    const send = (path: string, body: object) => ask(path, { key, body, headers: { "idempotency-key": "k" } })
    const sent = Array.from({ length: 100 }, (_, at) =>
      send("/v1/inventory", { lines: [{ ...raw, quantity: at + 1 }] })
    )
    const answers = yield* Effect.all(sent, { concurrency: 100 })
    const refused = answers.filter(({ status }) => status === 422)
    assert.deepEqual([answers.filter(({ status }) => status === 200).length, refused.length], [1, 99])
    const { code, data } = refused[0]!.json
    assert.deepEqual([code, data as unknown], ["IDEMPOTENCY_KEY_REUSED", { request: "POST /v1/inventory" }])
    const other = yield* send("/v1/inventory/tags", { name: "x" })
    assert.deepEqual([other.status, other.json.code], [422, "IDEMPOTENCY_KEY_REUSED"])
    assert.strictEqual((yield* api.inventory.lines({ query: {} })).data.length, 1)
    assert.deepEqual(yield* api.labels.tags(), [])
  })
})

suite(Served.layer())("changed lines", (it) => {
  it("a customId is free again when its line is deleted", function* () {
    const { api, events, params } = yield* withLine("freeing", { customId: "one" })
    const { created } = yield* api.inventory.createLines({ payload: { lines: [raw] } })
    yield* api.inventory.deleteLine({ params, payload: {} })
    const take = api.inventory.changeLine({ params: { inventoryId: created[0]!.id }, payload: { customId: "one" } })
    assert.strictEqual((yield* take).line.customId, "one")
    const deleted = { ...params, customId: "one", productId: raw.productId, before: 3, after: 0 }
    assert.deepInclude((yield* events).at(-1)?.data, { changes: [deleted] } as never)
  })

  it("a line of another seller is not found", function* () {
    const { inventory, listings } = (yield* makeTrader("mine")).api
    const { params } = yield* withLine("theirs")
    for (const error of [
      yield* Effect.flip(inventory.changeLine({ params, payload: { comment: "x" } })),
      yield* Effect.flip(inventory.deleteLine({ params, payload: null })),
      yield* Effect.flip(listings.list({ params, payload: { price: eur(1) } }))
    ])
      assert.deepInclude(error, { code: "NOT_FOUND", status: 404 })
  })
})

suite(Served.layer())("photos", (it) => {
  const upload = Effect.fnUntraced(function* (
    trader: Effect.Success<ReturnType<typeof withLine>>,
    files: ReadonlyArray<Blob>
  ) {
    const { url } = yield* Served
    const body = new FormData()
    for (const [at, file] of files.entries()) body.append("files", file, `${at}.png`)
    const init = { method: "PUT", headers: { authorization: `Bearer ${trader.key}` }, body }
    return yield* Effect.promise(async () => {
      const answer = await fetch(`${url}/v1/inventory/${trader.params.inventoryId}/media`, init)
      const { photos } = (await answer.json()) as { photos: ReadonlyArray<{ url: string }> }
      return { status: answer.status, urls: photos.map((photo) => photo.url) }
    })
  })
  const fetched = (url: string | undefined) => Effect.promise(() => fetch(url ?? ""))

  it("replace the earlier ones, say their size, may have 10 MB, and are served to anybody", function* () {
    const trader = yield* withLine("photographing")
    const { urls } = yield* upload(trader, [picture(10, 20), picture(30, 40)])
    const sent = new Blob([picture(50, 60), new Uint8Array(10 * 1024 * 1024 - picture(50, 60).size)])
    assert.strictEqual((yield* upload(trader, [sent])).status, 200)
    const { photos } = yield* trader.api.inventory.line({ params: trader.params })
    assert.deepEqual(values(photos, "width", "height"), [[50, 60]])
    const served = yield* fetched(photos[0]?.url)
    assert.deepEqual([served.status, served.headers.get("content-type")], [200, "image/png"])
    assert.strictEqual((yield* Effect.promise(() => served.bytes())).length, sent.size)
    assert.strictEqual((yield* fetched(urls[0])).status, 403)
  })

  it("of a change are those to keep, in its order, and the rest are gone", function* () {
    const trader = yield* withLine("sorting")
    const [a = "", b = "", c = ""] = (yield* upload(trader, [picture(1, 1), picture(2, 2), picture(3, 3)])).urls
    const change = (payload: { photos: ReadonlyArray<string>; count?: number; condition?: "LP" }) =>
      trader.api.inventory.changeLine({ params: trader.params, payload })
    assert.deepEqual(values((yield* change({ photos: [c, a] })).line.photos, "width"), [3, 1])
    const statuses = Effect.map(Effect.forEach([a, b, c], fetched), (answers) => values(answers, "status"))
    assert.deepEqual(yield* statuses, [200, 403, 200])
    const { line, remainder } = yield* change({ photos: [a], count: 1, condition: "LP" })
    assert.deepEqual([values(line.photos, "width"), values(remainder?.photos ?? [], "width")], [[1], [3, 1]])
    assert.deepEqual((yield* change({ photos: [] })).line.photos, [])
    assert.deepEqual(yield* statuses, [200, 403, 403])
  })

  it("of a line that goes into another one are gone with it", function* () {
    const trader = yield* withLine("merging")
    const { created } = yield* trader.api.inventory.createLines({ payload: { lines: [{ ...raw, condition: "LP" }] } })
    const { urls } = yield* upload({ ...trader, params: { inventoryId: created[0]!.id } }, [picture(1, 1)])
    assert.strictEqual((yield* fetched(urls[0])).status, 200)
    const merged = yield* trader.api.inventory.changeLine({ params: trader.params, payload: { condition: "LP" } })
    assert.deepEqual([merged.line.quantity, merged.line.photos], [6, []])
    assert.strictEqual((yield* fetched(urls[0])).status, 403)
  })
})
