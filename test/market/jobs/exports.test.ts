import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { gunzipSync } from "node:zlib"
import { Served, makeTrader } from "../Served.ts"
import { ended, fetched, imported, type Trader } from "./upload.ts"
import { suite, values } from "../../support/sandbox.ts"

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
    data.map(({ id: _id, updatedAt: _at, listing, ...line }) => ({ ...line, price: listing?.price ?? null }))
  )

const exported = (trader: Trader, payload: Parameters<typeof trader.api.jobs.export>[0]["payload"]) =>
  Effect.flatMap(trader.api.jobs.export({ payload }), ({ job }) => ended(trader, job.id))

const textOf = (url: string | null) => Effect.map(fetched(url), ({ bytes }) => gunzipSync(bytes).toString())

suite(Served.layer())("stock that leaves and changes in bulk", (it) => {
  for (const format of ["csv", "json"] as const) {
    it(`an export in ${format} that replaces the stock it came from changes nothing`, function* () {
      const trader = yield* stocked(`same ${format}`, true)
      const before = yield* stock(trader)
      const job = yield* exported(trader, { format })
      const events = (yield* trader.events).length
      yield* imported(trader, `a.${format}`, yield* textOf(job.downloadUrl), { mode: "replace" })
      assert.deepEqual(yield* stock(trader), before)
      assert.deepEqual(values((yield* trader.events).slice(events), "type"), ["inventory.import.completed"])
    })
  }
})
