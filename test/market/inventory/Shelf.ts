import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { InventoryLine } from "../../../src/market/contract/inventory/InventoryLine.ts"
import { picture, pictures } from "../facts/world/picture.ts"
import { ask, makeTrader, Served } from "../Served.ts"
import { card } from "../Shop.ts"
import type { ModelLine, ModelStock, Outcome } from "./ModelStock.ts"

export const places = ["Box", "Deck", "Binder"]
export const blank: ModelLine = {
  id: "",
  customId: null,
  condition: "NM",
  location: null,
  price: null,
  quantity: 1,
  comment: null,
  notes: null,
  tags: [],
  photos: []
}

/** A write with its answer, to be sent again. */
interface Sent {
  readonly path: string
  readonly request: Parameters<typeof ask>[1]
  readonly status: number
  readonly json: unknown
}

/** The stock of one account, by the model. */
export interface Shelf {
  readonly trader: Effect.Success<ReturnType<typeof makeTrader>>
  readonly sent: Array<Sent>
  stock: ModelStock
}

const readLine = ({ listing, ...line }: InventoryLine): ModelLine => ({
  id: line.id,
  customId: line.customId,
  condition: line.condition ?? "",
  location: line.location,
  price: listing === null ? null : Math.round(listing.price.amount * 100),
  quantity: line.quantity,
  comment: line.comment,
  notes: line.notes,
  tags: line.tags,
  photos: line.photos.map(({ url }) => url)
})

const readStock = ({ trader }: Shelf) =>
  Effect.map(trader.api.inventory.lines({ query: { limit: 100 } }), ({ data }) => data.map(readLine))

/** New lines of the model get the marketplace's ids, which are in the same order; then both are the same. */
export const compare = Effect.fnUntraced(function* (shelf: Shelf, what: string) {
  const actual = yield* readStock(shelf)
  const known = new Set(shelf.stock.map(({ id }) => id))
  const ids = actual.map(({ id }) => id).filter((id) => !known.has(id))
  shelf.stock = shelf.stock.map((line) => (line.id.startsWith("new ") ? { ...line, id: ids.shift() ?? "none" } : line))
  assert.deepStrictEqual(actual, shelf.stock, what)
})

export const price = (cents: number) => ({ amount: cents / 100, currency: "EUR" })

/** Sends a write with a key of its own. Returns the answer. */
export const send = Effect.fnUntraced(function* (shelf: Shelf, path: string, body: unknown, method = "POST") {
  const { key } = shelf.trader
  const request = { method, body, key, headers: { "idempotency-key": `key ${shelf.sent.length}` } }
  const { json, status } = yield* ask(path, request)
  shelf.sent.push({ path, request, status, json })
  return { json: json as unknown as Record<string, InventoryLine> & { readonly code: string }, status }
})

/** Sends a write; it is done or refused as the model says. */
export const act = Effect.fnUntraced(function* (
  shelf: Shelf,
  outcome: Outcome,
  [path, body, method]: readonly [string, unknown, string]
) {
  const before = shelf.stock
  const { json, status } = yield* send(shelf, path, body, method)
  const what = `${method} ${JSON.stringify(body)} of ${JSON.stringify(before)}`
  if ("code" in outcome) {
    assert.isTrue(status >= 400 && status < 500, what)
    assert.strictEqual(json.code, outcome.code, what)
    return yield* compare(shelf, what)
  }
  assert.strictEqual(status, 200, `${what}: ${JSON.stringify(json)}`)
  shelf.stock = outcome.stock
  yield* compare(shelf, what)
  const { line } = json
  const place = outcome.stock.indexOf(outcome.line)
  if (line !== undefined) assert.deepStrictEqual(readLine(line), shelf.stock[place], what)
})

let shelves = 0

/** A seller with a line that has photos. */
export const makeShelf = Effect.gen(function* () {
  const trader = yield* makeTrader(`shelf ${(shelves += 1)}`)
  const { origin } = yield* Served
  for (const name of places) yield* trader.api.labels.createLocation({ payload: { name } })
  for (const name of ["old", "show"]) yield* trader.api.labels.createTag({ payload: { name } })
  const lines = [{ ...card, location: "Box", comment: "sleeved", quantity: 9 }] as const
  const { created } = yield* trader.api.inventory.createLines({ payload: { lines } })
  const headers = { authorization: `Bearer ${trader.key}` }
  const body = pictures(picture(1, 1), picture(2, 2))
  yield* Effect.promise(() => fetch(`${origin}/v1/inventory/${created[0]!.id}/media`, { method: "PUT", headers, body }))
  const shelf: Shelf = { trader, sent: [], stock: [] }
  shelf.stock = yield* readStock(shelf)
  return shelf
})
