import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { gunzipSync } from "node:zlib"
import { ended, fetched } from "../jobs/upload.ts"
import { ask, control, Served, makeTrader } from "../Served.ts"
import { suite, values } from "../../support/sandbox.ts"

const raw = { productId: 10007, finish: "Standard", language: "en", condition: "NM", quantity: 1 } as const
const { condition: _condition, ...unworn } = raw
const price = { amount: 2, currency: "EUR" } as const
const graded = { gradingService: "PSA", grade: "10" } as const

/** Five lines that differ in what a filter may ask for; the customId is the name of the line. */
const lines = [
  { ...raw, customId: "plain" },
  { ...raw, customId: "föil-de", finish: "Foil", language: "de", condition: "LP", comment: "Kratzer an der Ähre" },
  { ...unworn, customId: "slab", graded, tags: ["Show", "old"], location: "Safe" },
  { ...unworn, customId: "kit", productId: 10046, listing: { price }, tags: ["show"] },
  { ...raw, customId: "100%_sure", productId: 3000000012, finish: "Holographic", location: "Box 1" }
] as const

const stocked = Effect.fnUntraced(function* (username: string) {
  const trader = yield* makeTrader(username)
  for (const name of ["Show", "old"]) yield* trader.api.labels.createTag({ payload: { name } })
  for (const name of ["Safe", "Box 1"]) yield* trader.api.labels.createLocation({ payload: { name } })
  const { errors } = yield* trader.api.inventory.createLines({ payload: { lines } })
  assert.deepEqual(errors, [])
  return trader
})

const found = (trader: { readonly key: string }, query: string) =>
  Effect.map(ask(`/v1/inventory?${query}`, { key: trader.key }), ({ json, status }) => {
    assert.strictEqual(status, 200, query)
    return json.data.map((line) => line["customId" as never] as string)
  })

suite(Served.layer())("lists of lines", (it) => {
  it("filters find texts with marks of a pattern as they are, and ignore the case of every letter", function* () {
    const trader = yield* stocked("filtering")
    const cases: ReadonlyArray<readonly [query: string, names: ReadonlyArray<string>]> = [
      ["customIdPrefix=100%25", ["100%_sure"]],
      ["customIdPrefix=F%C3%96IL", ["föil-de"]],
      ["customIdContains=_SURE", ["100%_sure"]],
      ["commentContains=%C3%84HRE", ["föil-de"]],
      ["location=safe", ["slab"]],
      ["tags=SHOW", ["slab", "kit"]]
    ]
    for (const [query, names] of cases) assert.deepEqual(yield* found(trader, query), names, query)
  })

  it("a search combines conditions on products and on lines", function* () {
    const { api } = yield* stocked("searching")
    const search = (payload: Parameters<typeof api.inventory.searchLines>[0]["payload"]) =>
      Effect.map(api.inventory.searchLines({ payload }), ({ data, pagination }) => {
        assert.strictEqual(pagination.total, data.length)
        return values(data, "customId")
      })
    assert.deepEqual(yield* search({ productType: { op: "or", values: ["sealed"] } }), ["kit"])
    assert.deepEqual(yield* search({ gameFilters: { game: "clockwork-orchard" } }), ["100%_sure"])
    assert.deepEqual(yield* search({ expansionId: ["304"], productId: 10007 }), [])
    assert.deepEqual(yield* search({ tags: { op: "and", values: ["show", "OLD"] } }), ["slab"])
    const untagged = ["plain", "föil-de", "slab", "100%_sure"]
    assert.deepEqual(yield* search({ tags: { op: "or", values: ["old", null] } }), untagged)
    assert.deepEqual(yield* search({ location: { op: "or", values: [null] }, finish: ["Standard"] }), ["plain", "kit"])
  })

  it("a search and an export take conditions, languages and finishes as lists and with an op", function* () {
    const trader = yield* stocked("choosing")
    const cases: ReadonlyArray<readonly [filters: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>]> = [
      [{ condition: { op: "or", values: ["LP", null] } }, ["föil-de", "slab", "kit"]],
      [{ condition: { op: "and", values: ["LP"] } }, ["föil-de"]],
      [{ condition: { op: "and", values: ["LP", "NM"] } }, []],
      [{ condition: ["NM"], language: ["en"] }, ["plain", "100%_sure"]],
      [{ language: { op: "or", values: ["de"] } }, ["föil-de"]],
      [{ finish: { op: "or", values: ["Foil", "Holographic"] } }, ["föil-de", "100%_sure"]]
    ]
    for (const [filters, names] of cases) {
      const { json } = yield* ask("/v1/inventory/search", { body: filters, key: trader.key })
      assert.deepEqual(values(json.data, "customId"), names, JSON.stringify(filters))
    }
    const [filters, names] = cases[0]!
    const body = { format: "json", filters }
    const started = yield* ask("/v1/inventory/bulk/export", { body, key: trader.key })
    const { downloadUrl } = yield* ended(trader, (started.json as unknown as { job: { id: string } }).job.id)
    const { bytes } = yield* fetched(downloadUrl)
    assert.deepEqual(values(JSON.parse(gunzipSync(bytes).toString()), "customId"), names)
  })

  it("a search is sorted by name, quantity, price or change, either way, and by nothing else", function* () {
    const trader = yield* makeTrader("sorting")
    const line = (customId: string, productId: number, quantity: number, amount?: number) => {
      const listing = amount === undefined ? {} : ({ listing: { price: { amount, currency: "EUR" } } } as const)
      return { ...raw, customId, productId, quantity, ...listing }
    }
    // Kindled Bellows comes after Ashen Warden.
    const payload = { lines: [line("a", 10_010, 2, 5), line("b", 10_007, 9), line("c", 10_007, 4, 3)] }
    const { created } = yield* trader.api.inventory.createLines({ payload })
    yield* (yield* control).controlClock.advanceClock({ payload: { seconds: 60 } })
    const params = { inventoryId: created[0]!.id }
    yield* trader.api.inventory.changeLine({ params, payload: { comment: "later" } })
    const sorted = (body: object) =>
      Effect.map(ask("/v1/inventory/search", { body, key: trader.key }), ({ json, status }) =>
        status === 200 ? values(json.data, "customId").join("") : json.data["field"]
      )
    for (const [sortBy, up, down] of [
      ["name", "bca", "abc"],
      ["quantity", "acb", "bca"],
      ["listingPrice", "cab", "acb"],
      ["lastModified", "bca", "abc"]
    ]) {
      assert.strictEqual(yield* sorted({ sortBy }), up, sortBy)
      assert.strictEqual(yield* sorted({ sortBy, sortDirection: "desc" }), down, sortBy)
    }
    assert.strictEqual(yield* sorted({ sortBy: "name", limit: 1, offset: 2 }), "a")
    assert.strictEqual(yield* sorted({ sortBy: "price" }), "sortBy")
    assert.strictEqual(yield* sorted({ sortDirection: "up" }), "sortDirection")
  })

  it("a label's new name shows on its lines, and a deleted label leaves them", function* () {
    const trader = yield* stocked("labelling")
    const { labels } = trader.api
    yield* labels.changeTag({ params: { name: "SHOW" }, payload: { name: "Fair", color: "red" } })
    yield* labels.changeLocation({ params: { name: "safe" }, payload: { name: "Bank" } })
    assert.deepEqual(yield* found(trader, "tags=fair"), ["slab", "kit"])
    assert.deepEqual(yield* found(trader, "location=bank"), ["slab"])
    yield* labels.deleteTag({ params: { name: "fair" }, payload: {} })
    yield* labels.deleteLocation({ params: { name: "Bank" }, payload: null })
    const { data } = yield* trader.api.inventory.lines({ query: { customId: "slab" } })
    assert.deepEqual([data[0]?.tags, data[0]?.location], [["old"], null])
    assert.deepEqual(yield* labels.tags({}), [{ name: "old", color: null, icon: null }])
  })

  it("a label's name is taken whatever its case, unless upsert changes that label", function* () {
    const { api } = yield* stocked("naming")
    const rename = yield* Effect.flip(api.labels.changeTag({ params: { name: "old" }, payload: { name: "show" } }))
    assert.deepInclude(rename, { code: "CONFLICT" })
    const changed = yield* api.labels.createTag({ payload: { name: "SHOW", icon: "star", upsert: true } })
    assert.deepEqual(changed, { name: "SHOW", color: null, icon: "star" })
    const missing = yield* Effect.flip(api.labels.deleteLocation({ params: { name: "attic" }, payload: {} }))
    assert.deepInclude(missing, { code: "NOT_FOUND", data: { name: "attic" } })
  })
})
