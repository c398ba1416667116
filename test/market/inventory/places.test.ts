import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { suite } from "../../support/sandbox.ts"
import { rounds } from "../../tried.ts"
import { imported } from "../jobs/upload.ts"
import { ask, Served } from "../Served.ts"
import { card } from "../Shop.ts"
import { addToModel, changeModel, clearPlace, importModel, type ModelLine, newId, priceModel } from "./ModelStock.ts"
import { act, blank, compare, makeShelf, places, price, send, type Shelf } from "./Shelf.ts"

type Deed = (shelf: Shelf) => Effect.Effect<unknown, unknown, Served>

const pick = fc.nat({ max: 40 })
const few = fc.integer({ min: 1, max: 4 })
const condition = fc.constantFrom("NM", "LP")
const place = fc.constantFrom(...places, null)
const text = fc.constantFrom("sleeved", "bent", null)
const tags = fc.subarray(["old", "show"])
const customId = fc.constantFrom("a", "b", null)
const cents = fc.constantFrom(150, 275)
const lineAt = ({ stock }: Shelf, at: number) => stock[at % Math.max(1, stock.length)]

/** A PATCH; `photos` draws which of the line's own to keep. */
const change = fc.record(
  {
    count: few,
    quantity: fc.oneof(
      few.map((set) => ({ set })),
      fc.integer({ min: -3, max: 3 }).map((adjust) => ({ adjust }))
    ),
    condition,
    location: place,
    customId,
    comment: text,
    notes: text,
    tags: fc.record({ set: tags, add: tags }, { requiredKeys: [] }),
    photos: fc.nat({ max: 2 })
  },
  { requiredKeys: [] }
)
const own = (line: ModelLine, { photos, ...rest }: typeof change extends fc.Arbitrary<infer T> ? T : never) => ({
  ...rest,
  ...(photos === undefined ? {} : { photos: line.photos.slice(photos) })
})

const drawn = <Drawn>(name: string, arbitrary: fc.Arbitrary<Drawn>, deed: (it: Drawn) => Deed) =>
  arbitrary.map((it) => ({ toString: () => `${name} ${JSON.stringify(it)}`, deed: deed(it) }))

const withLine = <Drawn extends { readonly at: number }>(
  name: string,
  arbitrary: fc.Arbitrary<Drawn>,
  deed: (shelf: Shelf, line: ModelLine, it: Drawn) => Effect.Effect<unknown, unknown, Served>
) =>
  drawn(name, arbitrary, (it) => (shelf) => {
    const line = lineAt(shelf, it.at)
    return line === undefined ? Effect.void : deed(shelf, line, it)
  })

const listing = ({ id }: ModelLine) => `/v1/inventory/${id}/listing`

/** Changes many lines at once; a conflict refuses all. */
const updateMany = Effect.fnUntraced(function* (
  shelf: Shelf,
  asked: ReadonlyArray<readonly [number, Parameters<typeof own>[1]]>
) {
  const items = asked.flatMap(([at, sent]) => {
    const line = lineAt(shelf, at)
    return line === undefined ? [] : [{ inventoryId: line.id, ...own(line, sent) }]
  })
  const seen = new Set<string>()
  let { stock } = shelf
  const codes = items.map(({ inventoryId, ...sent }) => {
    const isGone = !stock.some(({ id }) => id === inventoryId)
    if (seen.has(inventoryId)) return isGone ? "NOT_FOUND" : "INVALID_ITEM"
    const outcome = changeModel(stock, inventoryId, sent)
    if (!isGone) seen.add(inventoryId)
    if ("code" in outcome) return outcome.code
    stock = outcome.stock
    return "ok"
  })
  const isRefused = codes.includes("CONFLICT")
  const { json, status } = yield* send(shelf, "/v1/inventory/bulk/update", { items })
  const what = `update ${JSON.stringify(items)} of ${JSON.stringify(shelf.stock)}`
  assert.strictEqual(status, isRefused ? 409 : 200, what)
  if (!isRefused) {
    shelf.stock = stock
    const results = json["results"] as unknown as ReadonlyArray<{ readonly status: string; readonly code?: string }>
    assert.deepStrictEqual(
      results.map(({ code, status: is }) => code ?? is),
      codes,
      what
    )
  }
  yield* compare(shelf, what)
})

const head = "productId,finish,language,condition,location,quantity,comment,tags,customId"

const deeds = fc.oneof(
  drawn(
    "adds a line",
    fc.record({ condition, location: place, customId, comment: text, tags, cents: fc.option(cents), quantity: few }),
    ({ cents: price_, ...fields }) =>
      (shelf) => {
        const outcome = addToModel(shelf.stock, { ...blank, ...fields, price: price_, id: newId() })
        const line = { ...card, ...fields, ...(price_ === null ? {} : { listing: { price: price(price_) } }) }
        return "line" in outcome ? act(shelf, outcome, ["/v1/inventory", { lines: [line] }, "POST"]) : Effect.void
      }
  ),
  {
    weight: 6,
    arbitrary: withLine("changes a line", fc.record({ at: pick, change }), (shelf, line, { change: sent }) => {
      const body = own(line, sent)
      return act(shelf, changeModel(shelf.stock, line.id, body), [`/v1/inventory/${line.id}`, body, "PATCH"])
    })
  },
  {
    weight: 3,
    arbitrary: withLine(
      "moves some",
      fc.record({ at: pick, count: few, location: place }),
      (shelf, line, { count, location }) =>
        act(shelf, changeModel(shelf.stock, line.id, { count, location }), [
          `/v1/inventory/${line.id}`,
          { count, location },
          "PATCH"
        ])
    )
  },
  {
    weight: 3,
    arbitrary: drawn(
      "changes many",
      fc.array(fc.tuple(pick, change), { minLength: 1, maxLength: 5 }),
      (asked) => (shelf) => updateMany(shelf, asked)
    )
  },
  withLine(
    "lists, reprices or takes off sale",
    fc.record({ at: pick, cents, few, isOff: fc.boolean() }),
    (shelf, line, it) => {
      const quantity = Math.max(1, Math.min(it.few, line.quantity))
      const priced = (to: number | null, count: number) => priceModel(shelf.stock, line.id, to, count)
      if (line.quantity === 0) return Effect.void
      if (line.price === null)
        return act(shelf, priced(it.cents, quantity), [listing(line), { price: price(it.cents), quantity }, "POST"])
      return it.isOff
        ? act(shelf, priced(null, quantity), [listing(line), { quantity }, "DELETE"])
        : act(shelf, priced(it.cents, line.quantity), [listing(line), { price: price(it.cents) }, "PATCH"])
    }
  ),
  drawn(
    "imports",
    fc.array(fc.record({ condition, location: place, customId, comment: text, tags, quantity: few }), {
      minLength: 1,
      maxLength: 4
    }),
    (rows) =>
      Effect.fnUntraced(function* (shelf: Shelf) {
        const cells = rows.map(({ comment, condition: grade, customId: id, location, quantity, tags: names }) =>
          [
            "10007",
            "Standard",
            "en",
            grade,
            location,
            quantity,
            comment,
            names.length === 0 ? "" : `"${names.join(",")}"`,
            id
          ].join(",")
        )
        for (const { comment, customId: id, location, tags: names, ...row } of rows) {
          const given = {
            ...row,
            ...(comment === null ? {} : { comment }),
            ...(location === null ? {} : { location }),
            ...(id === null ? {} : { customId: id }),
            ...(names.length === 0 ? {} : { tags: names })
          }
          const outcome = importModel(shelf.stock, given, blank)
          if ("line" in outcome) shelf.stock = outcome.stock
        }
        yield* imported(shelf.trader, "stock.csv", `${[head, ...cells].join("\n")}\n`)
        yield* compare(shelf, `import ${cells.join("; ")}`)
      })
  ),
  drawn("sends a write again", pick, (at) =>
    Effect.fnUntraced(function* (shelf: Shelf) {
      const first = shelf.sent.at(-1 - (at % Math.max(1, shelf.sent.length)))
      if (first === undefined) return
      const { json, status } = yield* ask(first.path, first.request)
      assert.deepStrictEqual([status, json as unknown], [first.status, first.json])
      yield* compare(shelf, "again")
    })
  ),
  drawn("deletes a place and makes it again", fc.constantFrom(...places), (name) =>
    Effect.fnUntraced(function* (shelf: Shelf) {
      const { labels } = shelf.trader.api
      yield* labels.deleteLocation({ params: { name }, payload: {} })
      yield* labels.createLocation({ payload: { name } })
      shelf.stock = clearPlace(shelf.stock, name)
      yield* compare(shelf, `without ${name}`)
    })
  )
)

const length = 50

suite(Served.layer())("parts of lines", (it) => {
  it("are split, moved and merged by place as a person would keep them on paper", function* () {
    const run = Effect.runPromiseWith(yield* Effect.context<Served>())
    const lived = fc.asyncProperty(fc.array(deeds, { minLength: length, maxLength: length }), (all) =>
      run(Effect.flatMap(makeShelf, (shelf) => Effect.forEach(all, ({ deed }) => deed(shelf), { discard: true })))
    )
    yield* Effect.promise(() => fc.assert(lived, { numRuns: rounds(20, 2), endOnFailure: true }))
  })
})
