import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { suite } from "../support/sandbox.ts"
import { rounds } from "../tried.ts"
import { ask, type Body, type Item, search, Served } from "./Served.ts"

const inGame = { gameFilters: { game: "emberfall" }, limit: 200 }
const found = (filter: object) => Effect.map(search({ ...inGame, ...filter }), ({ json }) => json.data)

suite(Served.layer())("a search", (it) => {
  const filters = { cost: { min: 2, max: 3 }, kind: { op: "or", values: ["ally", "Relic"] } }
  const cases: ReadonlyArray<readonly [filter: object, wanted: (product: Item) => boolean]> = [
    [{ name: "DRAKE ashen" }, ({ name }) => /ashen/i.test(name) && /drake/i.test(name)],
    [{ name: "dun26a" }, ({ printNumber }) => printNumber === "26a"],
    [{ printNumber: "26A" }, ({ printNumber }) => printNumber === "26a"],
    [
      { gameFilters: { game: "emberfall", filters } },
      ({ attributes }) => [2, 3].includes(attributes.cost) && attributes.kind !== "Spell"
    ]
  ]
  for (const [filter, wanted] of cases)
    it(`finds something, and nothing else, by ${JSON.stringify(filter)}`, function* () {
      const products = yield* found(filter)
      assert.isNotEmpty(products)
      assert.isTrue(products.every(wanted))
    })

  it("finds no product that is a card and sealed at once, and no number that no card has", function* () {
    assert.isEmpty(yield* found({ productType: { op: "and", values: ["card", "sealed"] } }))
    assert.isEmpty(yield* found({ name: "DUN-4000" }))
  })
})

/** Every id of a search, page after page, as long as the answer says there is more. */
const walk = Effect.fnUntraced(function* (game: object, limit: number) {
  const ids: Array<number | string> = []
  let page: Body["pagination"] | undefined
  do {
    const { json } = yield* search({ ...game, limit, offset: ids.length })
    page = json.pagination
    ids.push(...json.data.map((product) => product.id))
  } while (page.hasMore)
  assert.deepEqual([ids.length, new Set(ids).size], [page.total, page.total])
  return page.total
})

layer(Served.layer({ live: "last" }))("paging", (it) => {
  it.effect.prop(
    "any limit walks every product exactly once",
    { limit: Schema.Int.check(Schema.isBetween({ minimum: 7, maximum: 200 })) },
    ({ limit }) => walk({ gameFilters: { game: "clockwork-orchard" } }, limit),
    { arbitrary: { runs: rounds(30, 8) } }
  )

  it.effect("a walk over all games finds what the walks over each game find", () =>
    Effect.gen(function* () {
      const { json } = yield* ask("/v1/games")
      let total = 0
      for (const { id } of json.data) total += yield* walk({ gameFilters: { game: id } }, 200)
      assert.strictEqual(yield* walk({}, 200), total)
    })
  )
})
