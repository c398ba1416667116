import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { deflateSync } from "node:zlib"
import { ask, Served } from "../Served.ts"
import { makeTrader } from "../Trader.ts"

const raw = { productId: 10007, finish: "Standard", language: "en", condition: "NM", quantity: 5 } as const
const eur = (amount: number) => ({ amount, currency: "EUR" }) as const

const withLine = Effect.fnUntraced(function* (username: string, more: object = {}) {
  const trader = yield* makeTrader(username)
  const { created } = yield* trader.api.inventory.createLines({ payload: { lines: [{ ...raw, ...more }] } })
  return { ...trader, params: { inventoryId: created[0]!.id } }
})

/** A PNG of this size, without a single pixel in it. */
const png = (width: number, height: number): Uint8Array<ArrayBuffer> => {
  const header = Buffer.alloc(25)
  header.writeUInt32BE(13, 0)
  header.write("IHDR", 4)
  header.writeUInt32BE(width, 8)
  header.writeUInt32BE(height, 12)
  return new Uint8Array(
    Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), header, deflateSync("x")])
  )
}

layer(Served.layer())("own listings", (it) => {
  it.effect("a line is listed, repriced and taken off sale as a whole", () =>
    Effect.gen(function* () {
      const { api, events, params } = yield* withLine("whole")
      const listed = yield* api.listings.list({ params, payload: { price: eur(3) } })
      assert.deepStrictEqual([listed.line.id, listed.line.listing, listed.remainder], [
        params.inventoryId,
        { price: eur(3) },
        null
      ] as never)
      assert.deepInclude(yield* Effect.flip(api.listings.list({ params, payload: { price: eur(4) } })), {
        code: "ALREADY_LISTED"
      })
      assert.deepStrictEqual((yield* api.listings.reprice({ params, payload: { price: eur(2.5) } })).listing, {
        price: eur(2.5)
      })
      const off = yield* api.listings.unlist({ params, payload: {} })
      assert.deepStrictEqual([off.forSale, off.listing, off.quantity], [false, null, 5])
      assert.deepInclude(yield* Effect.flip(api.listings.reprice({ params, payload: { price: eur(1) } })), {
        code: "NOT_FOUND"
      })
      assert.strictEqual((yield* events).length, 1)
    })
  )

  it.effect("a part that is listed becomes a line of its own, and joins the rest when it is taken off sale", () =>
    Effect.gen(function* () {
      const { api, events, params } = yield* withLine("part")
      const { line, remainder } = yield* api.listings.list({ params, payload: { price: eur(3), quantity: 2 } })
      assert.deepInclude(line, { quantity: 2, forSale: true })
      assert.deepInclude(remainder, { id: params.inventoryId, quantity: 3, forSale: false })
      const one = yield* api.listings.unlist({ params: { inventoryId: line.id }, payload: { quantity: 1 } })
      assert.deepInclude(one, { id: line.id, quantity: 1, forSale: true })
      const all = yield* api.listings.unlist({ params: { inventoryId: line.id }, payload: null })
      assert.deepInclude(all, { id: line.id, quantity: 5, forSale: false })
      const { data } = yield* api.inventory.lines({ query: {} })
      assert.deepStrictEqual(
        data.map(({ id }) => id),
        [line.id]
      )
      const reasons = (yield* events).map((event) => event.type === "inventory.quantity.changed" && event.data.reason)
      assert.deepStrictEqual(reasons, ["edit", "listing", "listing", "listing"])
    })
  )

  it.effect("more units than there are, another currency or a suspended seller are refused", () =>
    Effect.gen(function* () {
      const { accountId, api, params } = yield* withLine("refused")
      const list = (payload: Parameters<typeof api.listings.list>[0]["payload"]) =>
        Effect.flip(api.listings.list({ params, payload }))
      assert.deepInclude(yield* list({ price: eur(1), quantity: 6 }), {
        code: "INSUFFICIENT_QUANTITY",
        data: { ...params, available: 5, requested: 6 }
      })
      assert.deepInclude(yield* list({ price: { amount: 1, currency: "CHF" } }), {
        code: "CURRENCY_MISMATCH",
        data: { provided: "CHF", expected: "EUR" }
      })
      yield* ask(`/sandbox/accounts/${accountId}`, { method: "PATCH", body: { status: "suspended" } })
      assert.deepInclude(yield* list({ price: eur(1) }), { code: "SELLER_ACCOUNT_NOT_ACTIVE", status: 403 })
    })
  )

  it.effect("a price of three decimals is refused with its field", () =>
    Effect.gen(function* () {
      const { key, params } = yield* withLine("odd")
      const { status, json } = yield* ask(`/v1/inventory/${params.inventoryId}/listing`, {
        key,
        body: { price: eur(1.005) }
      })
      assert.deepStrictEqual([status, json.data["field"]], [400, "price.amount"])
    })
  )
})

layer(Served.layer())("photos", (it) => {
  const upload = Effect.fnUntraced(function* (
    { key, params }: { readonly key: string; readonly params: { readonly inventoryId: string } },
    files: ReadonlyArray<Uint8Array<ArrayBuffer>>
  ) {
    const { url } = yield* Served
    const body = new FormData()
    for (const [at, bytes] of files.entries()) body.append("files", new Blob([bytes]), `${at}.png`)
    return yield* Effect.promise(async () => {
      const answer = await fetch(`${url}/v1/inventory/${params.inventoryId}/media`, {
        method: "PUT",
        headers: { authorization: `Bearer ${key}` },
        body
      })
      return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
    })
  })

  it.effect("replace the earlier ones, say their size, and are served to anybody", () =>
    Effect.gen(function* () {
      const trader = yield* withLine("photographing")
      const first = yield* upload(trader, [png(10, 20), png(30, 40)])
      assert.strictEqual(first.status, 200)
      yield* upload(trader, [png(50, 60)])
      const { photos } = yield* trader.api.inventory.line({ params: trader.params })
      assert.deepStrictEqual(
        photos.map(({ height, width }) => [width, height]),
        [[50, 60]]
      )
      const served = yield* Effect.promise(() => fetch(photos[0]!.url))
      assert.deepStrictEqual([served.status, served.headers.get("content-type")], [200, "image/png"])
      assert.deepStrictEqual(yield* Effect.promise(() => served.bytes()), png(50, 60))
      const [gone] = first.json["photos"] as ReadonlyArray<{ url: string }>
      assert.strictEqual((yield* Effect.promise(() => fetch(gone!.url))).status, 403)
    })
  )

  it.effect("of a change are those to keep, in its order; another line's is not found, and the rest are gone", () =>
    Effect.gen(function* () {
      const [trader, other] = [yield* withLine("sorting"), yield* withLine("foreign")]
      const sent = yield* upload(trader, [png(1, 1), png(2, 2), png(3, 3)])
      const [a = "", b = "", c = ""] = (sent.json["photos"] as ReadonlyArray<{ url: string }>).map(({ url }) => url)
      const theirs = (yield* upload(other, [png(4, 4)])).json["photos"] as ReadonlyArray<{ url: string }>
      const change = (payload: { photos: ReadonlyArray<string>; count?: number; condition?: "LP" }) =>
        trader.api.inventory.changeLine({ params: trader.params, payload })
      const foreign = yield* Effect.flip(change({ photos: [a, theirs[0]!.url] }))
      assert.deepInclude(foreign, { code: "PHOTO_NOT_FOUND", status: 422, data: { url: theirs[0]!.url } })
      const widths = (photos: ReadonlyArray<{ width: number }>) => photos.map(({ width }) => width)
      assert.deepStrictEqual(widths((yield* change({ photos: [c, a] })).line.photos), [3, 1])
      const status = (url: string) => Effect.promise(() => fetch(url).then((answer) => answer.status))
      assert.deepStrictEqual([yield* status(a), yield* status(b), yield* status(c)], [200, 403, 200])
      const { line, remainder } = yield* change({ photos: [a], count: 1, condition: "LP" })
      assert.deepStrictEqual([widths(line.photos), widths(remainder?.photos ?? [])], [[1], [3, 1]])
      assert.deepStrictEqual(widths((yield* change({ photos: [] })).line.photos), [])
      assert.deepStrictEqual([yield* status(a), yield* status(c)], [200, 403])
    })
  )

  it.effect("are 1 to 10 pictures of at most 10 MB", () =>
    Effect.gen(function* () {
      const trader = yield* withLine("overdoing")
      const largest = new Uint8Array(10 * 1024 * 1024)
      largest.set(png(7, 7))
      assert.strictEqual((yield* upload(trader, [largest])).status, 200)
      const codes = [
        yield* upload(trader, []),
        yield* upload(
          trader,
          Array.from({ length: 11 }, () => png(1, 1))
        ),
        yield* upload(trader, [new Uint8Array(Buffer.from("no picture"))]),
        yield* upload(trader, [new Uint8Array(10 * 1024 * 1024 + 1)])
      ].map(({ json, status }) => [status, json["code"]])
      assert.deepStrictEqual(codes, [
        [400, "BAD_REQUEST"],
        [400, "BAD_REQUEST"],
        [400, "BAD_REQUEST"],
        [413, "PAYLOAD_TOO_LARGE"]
      ])
    })
  )
})
