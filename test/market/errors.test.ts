import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, search, Served } from "./Served.ts"

const someone = (authorization: string) => ({ headers: { authorization } })

/** A value inside 20,000 lists or objects: deeper than a program may recurse. */
const nested = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`
const deepList = nested("[", "]")
const deepObject = nested('{"a":', "}")
const inFilters = (filters: string) => `{"gameFilters":{"game":"emberfall","filters":${filters}}}`

layer(Served.layer({ scopes: ["inventory:read"] }))("errors", (it) => {
  it.effect("401 does not say what is wrong with the key", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(["", "Bearer", "Bearer wrong", "Basic test-key"], (authorization) =>
        ask("/v1/games", someone(authorization))
      )
      for (const { status, json } of answers) {
        assert.strictEqual(status, 401)
        assert.deepStrictEqual(json as unknown, {
          code: "UNAUTHORIZED",
          status: 401,
          message: "Unauthorized",
          data: {}
        })
      }
    })
  )

  it.effect("403 lists the scopes that are required and granted", () =>
    Effect.gen(function* () {
      const { status, json } = yield* ask("/v1/account/me")
      assert.deepStrictEqual([status, json.code], [403, "FORBIDDEN"])
      assert.deepStrictEqual({ ...json.data }, { required: ["account:read"], granted: ["inventory:read"] })
    })
  )

  it.effect("the catalogue needs no scope", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ask("/v1/games")).status, 200)
    })
  )

  for (const [path, code, data] of [
    ["/v1/games/none", "GAME_NOT_FOUND", { gameId: "none" }],
    ["/v1/games/none/expansions", "GAME_NOT_FOUND", { gameId: "none" }],
    ["/v1/products/1", "PRODUCT_NOT_FOUND", { productId: 1 }],
    ["/v1/expansions/1", "EXPANSION_NOT_FOUND", { expansionId: 1 }],
    ["/v1/nothing", "NOT_FOUND", {}]
  ] as const) {
    it.effect(`404 for ${path} names what is missing`, () =>
      Effect.gen(function* () {
        const { status, json } = yield* ask(path)
        assert.deepStrictEqual([status, json.status, json.code, { ...json.data }], [404, 404, code, data])
      })
    )
  }

  it.effect("an id of 5,000 letters is looked up like any other", () =>
    Effect.gen(function* () {
      const { json } = yield* ask(`/v1/feeds/${"n".repeat(5000)}`)
      assert.strictEqual(json.code, "GAME_NOT_FOUND")
    })
  )

  it.effect("an unknown game's changelog is a 400 that names it, because the operation has no 404", () =>
    Effect.gen(function* () {
      for (const gameId of ["none", "a".repeat(5000)]) {
        const { status, json } = yield* ask(`/v1/feeds/${gameId}/changelog`)
        assert.deepStrictEqual(
          [status, json.status, json.code, { ...json.data }],
          [400, 400, "GAME_NOT_FOUND", { gameId }]
        )
      }
      const { paths } = (yield* ask("/openapi.json")).json
      const { get } = paths["/v1/feeds/{gameId}/changelog"] as { get: { responses: object } }
      assert.deepStrictEqual(Object.keys(get.responses), ["200", "400", "401", "403", "429", "500", "503"])
    })
  )

  for (const [path, field] of [
    ["/v1/feeds/emberfall/changelog?limit=0", "limit"],
    ["/v1/feeds/emberfall/changelog?limit=101", "limit"],
    ["/v1/feeds/emberfall/changelog?limit=ten", "limit"],
    ["/v1/feeds/emberfall/changelog?cursor=zzz", "cursor"],
    ["/v1/feeds/emberfall/changelog?includeChanges=maybe", "includeChanges"],
    ["/v1/games/emberfall/expansions?limit=201", "limit"],
    ["/v1/games/emberfall/expansions?offset=-1", "offset"],
    ["/v1/products?limit=1.5", "limit"],
    ["/v1/products/abc", "productId"],
    // One more than the greatest id.
    ["/v1/products/9007199254740992", "productId"],
    ["/v1/products/-9007199254740993/listings", "productId"]
  ] as const) {
    it.effect(`400 for ${path} names the field`, () =>
      Effect.gen(function* () {
        const { status, json } = yield* ask(path)
        assert.deepStrictEqual([status, json.code, json.data["field"]], [400, "BAD_REQUEST", field])
        assert.include(json.message, field)
      })
    )
  }

  for (const [body, field] of [
    ["{", "body"],
    [{ productIds: [] }, "productIds"],
    [{ productIds: Array.from({ length: 201 }, (_, id) => id) }, "productIds"],
    [{ sourceEur: [-1] }, "sourceEur.0"],
    [{ productType: { op: "xor", values: ["card"] } }, "productType.op"],
    [{ name: "" }, "name"],
    [{ limit: 500 }, "limit"],
    [{ sortBy: "price" }, "sortBy"],
    [{ gameFilters: { game: "none" } }, "gameFilters.game"],
    [{ gameFilters: { game: "emberfall", filters: { cost: { like: 3 } } } }, "gameFilters.filters.cost"],
    [{ listings: {}, sourceUsd: [1] }, "sourceUsd"],
    [{ listings: {}, sortBy: "releaseDate" }, "sortBy"],
    [{ listings: {}, offset: 300_000 }, "offset"]
  ] as const) {
    it.effect(`400 for the search ${JSON.stringify(body).slice(0, 60)} names the field`, () =>
      Effect.gen(function* () {
        const { status, json } = yield* search(body)
        assert.deepStrictEqual([status, json.code, json.data["field"]], [400, "BAD_REQUEST", field])
        assert.include(json.message, field)
      })
    )
  }

  for (const [body, field] of [
    [deepList, "body"],
    [`{"name":${deepList}}`, "name"],
    [`{"gameFilters":${deepObject}}`, "gameFilters.game"],
    [inFilters(deepObject), "gameFilters.filters.a"],
    [inFilters(`{"cost":${deepList}}`), "gameFilters.filters.cost"],
    [inFilters(`{"cost":${deepObject}}`), "gameFilters.filters.cost"],
    [inFilters(`{"cost":{"value":${deepList}}}`), "gameFilters.filters.cost.value"],
    [inFilters(`{"cost":{"value":${deepObject}}}`), "gameFilters.filters.cost.value"],
    [inFilters(`{"cost":{"values":[2,${deepList}]}}`), "gameFilters.filters.cost.values.1"],
    [inFilters('{"cost":{"value":{"toString":1}}}'), "gameFilters.filters.cost.value"],
    [inFilters('{"cost":{"values":[[2]]}}'), "gameFilters.filters.cost.values.0"],
    [inFilters('{"cost":{"min":1e400}}'), "gameFilters.filters.cost.min"],
    ['{"productIds":[1e300]}', "productIds.0"],
    ['{"expansionId":1e400}', "expansionId"]
  ] as const) {
    it.effect(`400 for the search ${body.slice(0, 60)} names the field`, () =>
      Effect.gen(function* () {
        const { status, json } = yield* search(body)
        assert.deepStrictEqual([status, json.code, json.data["field"]], [400, "BAD_REQUEST", field])
        assert.isBelow(json.message.length, 200)
      })
    )
  }

  it.effect("a body whose content type is not JSON is refused for that", () =>
    Effect.gen(function* () {
      const { status, json } = yield* ask("/v1/products/search", {
        body: "{}",
        headers: { "content-type": "text/csv" }
      })
      assert.deepStrictEqual([status, json.code], [400, "UNSUPPORTED_CONTENT_TYPE"])
      assert.include(json.message, "text/csv is not what this operation takes")
    })
  )
})
