import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { gunzipSync } from "node:zlib"
import { ask, Served } from "../Served.ts"
import { control, makeTrader } from "../Trader.ts"
import { ended, fetched, imported, type Trader } from "./upload.ts"

const raw = { productId: 10007, finish: "Standard", language: "en", condition: "NM", quantity: 3 } as const
const { condition: _condition, ...unworn } = raw

/** Lines with everything that a file has to carry. */
const lines = [
  { ...raw, customId: "a,\"b\"\n'c'", comment: "Zürich; 3 × „gut“", notes: "=1+1" },
  { ...raw, finish: "Foil", listing: { price: { amount: 0.1, currency: "EUR" } } },
  { ...unworn, graded: { gradingService: "PSA", grade: "10", certification: "00123" } },
  { ...unworn, productId: 10046, tags: ["old", "show"], location: "Box" }
] as const

const stocked = Effect.fnUntraced(function* (username: string, content: boolean) {
  const trader = yield* makeTrader(username)
  for (const name of ["old", "show"]) yield* trader.api.labels.createTag({ payload: { name } })
  yield* trader.api.labels.createLocation({ payload: { name: "Box" } })
  if (content) yield* trader.api.inventory.createLines({ payload: { lines } })
  return trader
})

const stock = (trader: Trader) =>
  Effect.map(trader.api.inventory.lines({ query: {} }), ({ data }) =>
    data.map(({ id: _id, updatedAt: _at, ...line }) => line)
  )

const exported = (trader: Trader, payload: Parameters<typeof trader.api.jobs.export>[0]["payload"]) =>
  Effect.flatMap(trader.api.jobs.export({ payload }), ({ job }) => ended(trader, job.id))

const textOf = (url: string | null) => Effect.map(fetched(url), ({ bytes }) => gunzipSync(bytes).toString())

layer(Served.layer())("exports", (it) => {
  for (const format of ["csv", "json"] as const) {
    it.effect(`an export in ${format} that is imported by somebody else gives equal lines`, () =>
      Effect.gen(function* () {
        const from = yield* stocked(`from ${format}`, true)
        const job = yield* exported(from, { format })
        assert.deepInclude(job, { kind: "export", status: "completed", format, mode: null, progress: 100 })
        const to = yield* stocked(`to ${format}`, false)
        const done = yield* imported(to, `a.${format}`, yield* textOf(job.downloadUrl))
        assert.deepStrictEqual(done.counts, { total: 4, succeeded: 4, failed: 0 })
        assert.deepStrictEqual(yield* stock(to), yield* stock(from))
      })
    )

    it.effect(`an export in ${format} that replaces the stock it came from changes nothing`, () =>
      Effect.gen(function* () {
        const trader = yield* stocked(`same ${format}`, true)
        const before = yield* stock(trader)
        const job = yield* exported(trader, { format })
        const events = (yield* trader.events).length
        yield* imported(trader, `a.${format}`, yield* textOf(job.downloadUrl), { mode: "replace" })
        assert.deepStrictEqual(yield* stock(trader), before)
        assert.deepStrictEqual(
          (yield* trader.events).slice(events).map(({ type }) => type),
          ["inventory.import.completed"]
        )
      })
    )
  }

  it.effect("filters choose what is exported, and where nothing matches, the file is empty", () =>
    Effect.gen(function* () {
      const trader = yield* stocked("choosing", true)
      const some = yield* exported(trader, { format: "json", filters: { name: "ashen warden", graded: false } })
      const rows: ReadonlyArray<{ finish: string; productName: string }> = JSON.parse(yield* textOf(some.downloadUrl))
      assert.deepStrictEqual(
        rows.map(({ finish, productName }) => [finish, productName]),
        [
          ["Standard", "Ashen Warden"],
          ["Foil", "Ashen Warden"]
        ]
      )
      const other = yield* stocked("choosing none", true)
      const none = yield* exported(other, { format: "json", filters: { game: "tidewrack" } })
      assert.deepStrictEqual([JSON.parse(yield* textOf(none.downloadUrl)), none.counts], [
        [],
        { total: 0, succeeded: 0, failed: 0 }
      ] as never)
    })
  )

  it.effect("links end after 15 minutes, the event's after an hour, and the file after 7 days", () =>
    Effect.gen(function* () {
      const trader = yield* stocked("waiting", true)
      const { controlClock } = yield* control
      const pass = (seconds: number) => controlClock.advanceClock({ payload: { seconds } })
      const status = (url: string | null) => Effect.map(fetched(url), (answer) => answer.status)
      const job = yield* exported(trader, { format: "csv" })
      const again = Effect.map(trader.api.jobs.job({ params: { jobId: job.id } }), (answer) => answer.job)
      const event = (yield* trader.events).at(-1)
      const told = event?.type === "inventory.export.completed" ? event.data : undefined
      assert.strictEqual(event?.eventId, `${job.id}.completed`)
      assert.strictEqual(Date.parse(told?.expiresAt ?? ""), Date.parse(event?.timestamp ?? "") + 3_600_000)
      assert.deepStrictEqual([yield* status(job.downloadUrl), yield* status(told?.downloadUrl ?? null)], [200, 200])
      assert.strictEqual(yield* status(`${job.downloadUrl}0`), 403)
      yield* pass(15 * 60)
      assert.deepStrictEqual([yield* status(job.downloadUrl), yield* status(told?.downloadUrl ?? null)], [403, 200])
      assert.strictEqual(yield* status((yield* again).downloadUrl), 200)
      yield* pass(45 * 60)
      assert.strictEqual(yield* status(told?.downloadUrl ?? null), 403)
      yield* pass(7 * 24 * 3600 - 3600 - 60)
      assert.strictEqual(yield* status((yield* again).downloadUrl), 200)
      yield* pass(120)
      assert.deepInclude(yield* again, { status: "completed", downloadUrl: null, expiresAt: job.expiresAt })
    })
  )

  it.effect("a job of another account is not found", () =>
    Effect.gen(function* () {
      const job = yield* exported(yield* stocked("owner", true), { format: "csv" })
      const { api } = yield* makeTrader("stranger")
      assert.deepInclude(yield* Effect.flip(api.jobs.job({ params: { jobId: job.id } })), {
        code: "NOT_FOUND",
        data: { jobId: job.id }
      })
    })
  )
})

layer(Served.layer())("bulk updates", (it) => {
  it.effect("the good changes are made together, and each bad one says why", () =>
    Effect.gen(function* () {
      const trader = yield* stocked("updater", true)
      const [first, foil] = (yield* trader.api.inventory.lines({ query: {} })).data
      const { results } = yield* trader.api.jobs.update({
        payload: {
          items: [
            { customId: first!.customId, quantity: { set: 8 } },
            { inventoryId: foil!.id, customId: "named", comment: "new" },
            { inventoryId: foil!.id, comment: "twice" },
            { customId: "nobody" },
            { comment: "whose?" },
            { inventoryId: "none" }
          ]
        }
      })
      assert.deepStrictEqual(results, [
        { index: 0, status: "ok", inventoryId: first!.id },
        { index: 1, status: "ok", inventoryId: foil!.id },
        { index: 2, status: "error", code: "INVALID_ITEM", data: { inventoryId: foil!.id } },
        { index: 3, status: "error", code: "NOT_FOUND", data: { customId: "nobody" } },
        { index: 4, status: "error", code: "INVALID_ITEM", data: {} },
        { index: 5, status: "error", code: "NOT_FOUND", data: { inventoryId: "none" } }
      ])
      const { data } = yield* trader.api.inventory.lines({ query: { limit: 2 } })
      assert.deepStrictEqual(
        data.map(({ comment, customId, quantity }) => [customId, quantity, comment]),
        [
          [first!.customId, 8, first!.comment],
          ["named", 3, "new"]
        ]
      )
    })
  )

  it.effect("a customId that is taken refuses all changes", () =>
    Effect.gen(function* () {
      const trader = yield* stocked("conflicting", true)
      const [first, foil] = (yield* trader.api.inventory.lines({ query: {} })).data
      const before = yield* stock(trader)
      const { json, status } = yield* ask("/v1/inventory/bulk/update", {
        key: trader.key,
        body: {
          items: [
            { inventoryId: first!.id, quantity: { set: 99 } },
            { inventoryId: foil!.id, customId: first!.customId }
          ]
        }
      })
      assert.deepStrictEqual([status, json.code], [409, "CONFLICT"])
      assert.deepStrictEqual(yield* stock(trader), before)
    })
  )
})
