import { Effect } from "effect"
import { type KnownDialect, dialects } from "../../feed/contract/dialect/dialects.ts"
import { type Hook, recordControl, recordTrade } from "./recordTrade.ts"
import { type Send, withKey } from "./sending.ts"
import { setTimeout } from "node:timers/promises"
import { wordings } from "../wording/Wording.ts"

/** Records what any key can read: the catalogue and its account. */
const recordReading = Effect.fnUntraced(function* (anyone: Send, key: string, dialect: KnownDialect) {
  const send = withKey(anyone, key)
  const { sourceEur } = wordings[dialect].words === null ? dialects.spec.blocks : dialects.live.blocks
  const game = { params: { gameId: "emberfall" } }
  const product = { params: { productId: 10_007 } }
  const one = "?limit=1"
  yield* send("GET", "/v1/games")
  yield* send("GET", "/v1/games/{gameId}", game)
  const { data } = yield* send("GET", "/v1/games/{gameId}/expansions", { ...game, query: one })
  yield* send("GET", "/v1/expansions/{expansionId}", { params: { expansionId: data[0].id } })
  yield* send("GET", "/v1/products", { query: one })
  yield* send("POST", "/v1/products/search", { body: { gameFilters: { game: "emberfall" }, sortBy: "name", limit: 1 } })
  yield* send("GET", "/v1/products/{productId}", product)
  yield* send("GET", "/v1/products/{productId}/prices", product)
  const days = `?marketplace=${sourceEur}&from=2026-03-01&to=2026-03-02`
  yield* send("GET", "/v1/products/{productId}/prices/history", { ...product, query: days })
  yield* send("POST", "/v1/products/resolve", { body: { marketplace: sourceEur, ids: [200_000] } })
  yield* send("GET", "/v1/feeds/{gameId}/changelog", { ...game, query: `${one}&includeChanges=true` })
  yield* send("GET", "/v1/feeds/{gameId}", game)
  for (const feed of ["catalog", "expansions", "prices"]) yield* send("GET", `/v1/feeds/{gameId}/${feed}`, game)
  yield* send("GET", "/v1/account/me")
  yield* send("POST", "/v1/account/vacation", { body: { enabled: true, reason: "At a tournament" } })
  yield* send("POST", "/v1/account/vacation", { body: { enabled: false } })
  yield* send("GET", "/v1/account/vacation")
})

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const upload = (field: string, name: string, content: string | Uint8Array<ArrayBuffer>, type: string): FormData => {
  const form = new FormData()
  form.append(field, new Blob([content], { type }), name)
  return form
}

const price = { amount: 14.99, currency: "EUR" }
const raw = { productId: 10_007, finish: "Standard", language: "en" }

const recordLabels = Effect.fnUntraced(function* (send: Send) {
  for (const [kind, name, other] of [
    ["tags", "showcase", "to sort"],
    ["locations", "Box 3", "Box 9"]
  ] as const) {
    yield* send("POST", `/v1/inventory/${kind}`, { body: { name, color: "#1f5f8b" } })
    yield* send("POST", `/v1/inventory/${kind}`, { body: { name: other } })
    yield* send("GET", `/v1/inventory/${kind}`)
    yield* send("PATCH", `/v1/inventory/${kind}/{name}`, { params: { name }, body: { icon: "star" } })
    yield* send("DELETE", `/v1/inventory/${kind}/{name}`, { params: { name: other } })
  }
})

const recordLines = Effect.fnUntraced(function* (send: Send, asSeller: Send) {
  const line = { ...raw, condition: "NM", quantity: 8, customId: "EF-7-NM", location: "Box 3", tags: ["showcase"] }
  const { created } = yield* asSeller("POST", "/v1/inventory", { body: { lines: [{ ...line, listing: { price } }] } })
  const params = { inventoryId: created[0].id }
  yield* send("GET", "/sandbox/events", { query: "?after=0" })
  yield* asSeller("GET", "/v1/inventory", { query: "?limit=1" })
  const search = { game: "emberfall", condition: { op: "or", values: ["NM"] }, limit: 1 }
  yield* asSeller("POST", "/v1/inventory/search", { body: search })
  yield* asSeller("GET", "/v1/inventory/{inventoryId}", { params })
  yield* asSeller("PATCH", "/v1/inventory/{inventoryId}", { params, body: { comment: "Pack fresh" } })
  const form = upload("files", "front.png", Buffer.from(pixel, "base64"), "image/png")
  yield* asSeller("PUT", "/v1/inventory/{inventoryId}/media", { params, form })
  yield* asSeller("GET", "/v1/listings", { query: "?limit=1" })

  const lines = [{ ...raw, condition: "LP", quantity: 2 }]
  const more = yield* asSeller("POST", "/v1/inventory", { body: { lines } })
  const other = { params: { inventoryId: more.created[0].id } }
  const listing = "/v1/inventory/{inventoryId}/listing"
  yield* asSeller("POST", listing, { ...other, body: { price } })
  yield* asSeller("PATCH", listing, { ...other, body: { price: { ...price, amount: 12.5 } } })
  yield* asSeller("DELETE", listing, { ...other, body: {} })
  yield* asSeller("DELETE", "/v1/inventory/{inventoryId}", other)
})

const recordJobs = Effect.fnUntraced(function* (send: Send, asSeller: Send) {
  const ended = Effect.fnUntraced(function* ({ job }: { readonly job: { readonly id: string } }) {
    // Poll without recording until the job is completed: only the final response becomes the recorded example.
    for (let status = ""; status !== "completed";) {
      yield* Effect.promise(() => setTimeout(20))
      const { columns, rows } = yield* send("GET", "/sandbox/tables/{name}", { params: { name: "jobs" } })
      status = rows.find((row: ReadonlyArray<unknown>) => row.includes(job.id))?.[columns.indexOf("status")]
    }
    return yield* asSeller("GET", "/v1/inventory/bulk/jobs/{jobId}", { params: { jobId: job.id } })
  })
  const csv = "productId,finish,language,condition,quantity,customId\n10007,Standard,de,NM,2,EF-7-DE\n"
  const stock = upload("file", "stock.csv", csv, "text/csv")
  yield* ended(yield* asSeller("POST", "/v1/inventory/bulk/import", { form: stock }))
  const theirs = "idProduct,quantity,condition,language,price\n900000,1,EX,English,3.50\n"
  const preset = { params: { preset: "powertools" }, form: upload("file", "export.csv", theirs, "text/csv") }
  yield* ended(yield* asSeller("POST", "/v1/inventory/bulk/import/{preset}", preset))
  yield* ended(yield* asSeller("POST", "/v1/inventory/bulk/export", { body: { format: "csv" } }))
  const items = [{ customId: "EF-7-DE", quantity: { set: 5 } }]
  yield* asSeller("POST", "/v1/inventory/bulk/update", { body: { items } })
})

/** Records the seller's labels, lines, listings and jobs. */
const recordSelling = Effect.fnUntraced(function* (send: Send, key: string) {
  const asSeller = withKey(send, key)
  yield* recordLabels(asSeller)
  yield* recordLines(send, asSeller)
  yield* recordJobs(send, asSeller)
})

/** Sends a request to every operation and control route of a sandbox with the sample. Returns the traders' keys. */
export const recordTour = Effect.fnUntraced(function* (send: Send, hook: Hook, dialect: KnownDialect = "spec") {
  const market = yield* recordControl(send, hook, dialect)
  yield* recordReading(send, market.seller, dialect)
  yield* recordSelling(send, market.seller)
  yield* recordTrade(send, market)
  return market
})
