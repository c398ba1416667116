import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ask, type Body, search, Served } from "./Served.ts"
import { rounds } from "../tried.ts"

const game = { gameFilters: { game: "clockwork-orchard" } }
const limits = Schema.Int.check(Schema.isBetween({ minimum: 7, maximum: 200 }))

/** Every id of a search, page after page, as long as the answer says there is more. */
const walk = Effect.fnUntraced(function* (body: object, limit: number) {
  const ids: Array<number | string> = []
  let page: Body["pagination"] | undefined
  do {
    const { json } = yield* search({ ...body, limit, offset: ids.length })
    page = json.pagination
    ids.push(...json.data.map((product) => product.id))
  } while (page.hasMore)
  return { ids, total: page.total }
})

layer(Served.layer({ live: "last" }))("paging", (it) => {
  it.effect.prop(
    "any limit walks every product exactly once",
    { limit: limits },
    ({ limit }) =>
      Effect.gen(function* () {
        const { ids, total } = yield* walk(game, limit)
        assert.deepStrictEqual([ids.length, new Set(ids).size], [total, total])
      }),
    { arbitrary: { runs: rounds(30, 8) } }
  )

  it.effect("a walk over all games finds what the walks over each game find", () =>
    Effect.gen(function* () {
      const all = yield* walk({}, 200)
      const { json } = yield* ask("/v1/games")
      let found = 0
      for (const { id } of json.data) found += (yield* walk({ gameFilters: { game: id } }, 200)).total
      assert.strictEqual(all.total, found)
      assert.strictEqual(new Set(all.ids).size, found)
    })
  )

  it.effect("total counts the filtered set", () =>
    Effect.gen(function* () {
      const sealed = { ...game, productType: { op: "or", values: ["sealed"] } }
      const { ids, total } = yield* walk(sealed, 13)
      const whole = yield* walk(game, 200)
      assert.strictEqual(ids.length, total)
      assert.isBelow(total, whole.total)
    })
  )

  it.effect("limit is 50 and offset 0 unless asked, and both are echoed", () =>
    Effect.gen(function* () {
      const { json } = yield* search(game)
      assert.deepInclude(json.pagination, { offset: 0, limit: 50, hasMore: true })
      assert.strictEqual(json.data.length, 50)
    })
  )

  it.effect("paging in the query wins over the body", () =>
    Effect.gen(function* () {
      const { json } = yield* search({ ...game, limit: 5, offset: 5 }, "?limit=3&offset=2")
      assert.deepInclude(json.pagination, { offset: 2, limit: 3 })
    })
  )

  it.effect("past the end there is an empty page and no more", () =>
    Effect.gen(function* () {
      const { json } = yield* search({ ...game, offset: 100_000 })
      assert.deepStrictEqual([json.data.length, json.pagination.hasMore], [0, false])
    })
  )

  it.effect("expansions come newest release first, those without a date last", () =>
    Effect.gen(function* () {
      const { json } = yield* ask("/v1/games/emberfall/expansions?limit=200")
      const dates = json.data.map((expansion) => expansion.releaseDate ?? "")
      assert.deepStrictEqual(dates, dates.toSorted().toReversed())
      assert.strictEqual(dates.at(-1), "")
    })
  )

  it.effect("GET /v1/products is a search without filters", () =>
    Effect.gen(function* () {
      const got = yield* ask("/v1/products?limit=9&offset=4")
      const found = yield* search({}, "?limit=9&offset=4")
      assert.deepStrictEqual(got.json, found.json)
    })
  )
})
