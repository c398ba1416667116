import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import type { Send } from "./Send.ts"

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const upload = (field: string, name: string, content: string | Uint8Array<ArrayBuffer>, type: string): FormData => {
  const form = new FormData()
  form.append(field, new Blob([content], { type }), name)
  return form
}

const price = { amount: 14.99, currency: "EUR" }
const raw = { productId: 10_007, finish: "Standard", language: "en" }

/** The seller's stock: labels, lines, listings and jobs. Gives the id of a line that is for sale. */
export const recordSelling = Effect.fnUntraced(function* (send: Send, key: string) {
  for (const [kind, name, other] of [
    ["tags", "showcase", "to sort"],
    ["locations", "Box 3", "Box 9"]
  ] as const) {
    yield* send("POST", `/v1/inventory/${kind}`, { body: { name, color: "#1f5f8b" }, key })
    yield* send("POST", `/v1/inventory/${kind}`, { body: { name: other }, key })
    yield* send("GET", `/v1/inventory/${kind}`, { key })
    yield* send("PATCH", `/v1/inventory/${kind}/{name}`, { params: { name }, body: { icon: "star" }, key })
    yield* send("DELETE", `/v1/inventory/${kind}/{name}`, { params: { name: other }, key })
  }
  const line = { ...raw, condition: "NM", quantity: 8, customId: "EF-7-NM", location: "Box 3", tags: ["showcase"] }
  const { created } = yield* send("POST", "/v1/inventory", { body: { lines: [{ ...line, listing: { price } }] }, key })
  const params = { inventoryId: created[0].id }
  yield* send("GET", "/sandbox/events", { query: "?after=0" })
  yield* send("GET", "/v1/inventory", { query: "?limit=1", key })
  yield* send("POST", "/v1/inventory/search", { body: { game: "emberfall", condition: ["NM"], limit: 1 }, key })
  yield* send("GET", "/v1/inventory/{inventoryId}", { params, key })
  yield* send("PATCH", "/v1/inventory/{inventoryId}", { params, body: { comment: "Pack fresh" }, key })
  const form = upload("files", "front.png", Buffer.from(pixel, "base64"), "image/png")
  yield* send("PUT", "/v1/inventory/{inventoryId}/media", { params, form, key })
  yield* send("GET", "/v1/listings", { query: "?limit=1", key })

  const more = yield* send("POST", "/v1/inventory", {
    body: { lines: [{ ...raw, condition: "LP", quantity: 2 }] },
    key
  })
  const other = { params: { inventoryId: more.created[0].id }, key }
  yield* send("POST", "/v1/inventory/{inventoryId}/listing", { ...other, body: { price } })
  yield* send("PATCH", "/v1/inventory/{inventoryId}/listing", { ...other, body: { price: { ...price, amount: 12.5 } } })
  yield* send("DELETE", "/v1/inventory/{inventoryId}/listing", { ...other, body: {} })
  yield* send("DELETE", "/v1/inventory/{inventoryId}", other)

  const ended = Effect.fnUntraced(function* ({ job }: { readonly job: { readonly id: string } }) {
    const asked = { params: { jobId: job.id }, key }
    // The example is of an ended job: this one asks without being remembered.
    for (let status = ""; status !== "completed";) {
      yield* Effect.promise(() => setTimeout(20))
      const { data } = yield* send("GET", "/sandbox/tables/{name}", { params: { name: "jobs" } }).pipe(
        Effect.map(({ columns, rows }) => ({
          data: rows.find((row: ReadonlyArray<unknown>) => row.includes(job.id))?.[columns.indexOf("status")]
        }))
      )
      status = data
    }
    return yield* send("GET", "/v1/inventory/bulk/jobs/{jobId}", asked)
  })
  const csv = "productId,finish,language,condition,quantity,customId\n10007,Standard,de,NM,2,EF-7-DE\n"
  yield* ended(
    yield* send("POST", "/v1/inventory/bulk/import", { form: upload("file", "stock.csv", csv, "text/csv"), key })
  )
  const theirs = "idProduct,quantity,condition,language,price\n900000,1,EX,English,3.50\n"
  yield* ended(
    yield* send("POST", "/v1/inventory/bulk/import/{preset}", {
      params: { preset: "powertools" },
      form: upload("file", "export.csv", theirs, "text/csv"),
      key
    })
  )
  yield* ended(yield* send("POST", "/v1/inventory/bulk/export", { body: { format: "csv" }, key }))
  const items = [{ customId: "EF-7-DE", quantity: { set: 5 } }]
  yield* send("POST", "/v1/inventory/bulk/update", { body: { items }, key })
  return params.inventoryId as string
})
