import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { suite } from "../support/sandbox.ts"
import { rounds } from "../tried.ts"
import { ask, type Body, search, Served } from "./Served.ts"

const inGame = { gameFilters: { game: "emberfall" }, limit: 200 }
const found = (filter: object) => Effect.map(search({ ...inGame, ...filter }), ({ json }) => json.data)

suite(Served.layer())("a search", (it) => {
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
    { arbitrary: { runs: rounds(30, 3) } }
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
