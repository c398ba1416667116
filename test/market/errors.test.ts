import { assert } from "@effect/vitest"
import { suite } from "../support/sandbox.ts"
import { ask, Served } from "./Served.ts"

/** A value inside 20,000 lists or objects: deeper than a program may recurse. */
const nested = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`
const deepList = nested("[", "]")
const deepObject = nested('{"a":', "}")
const inFilters = (filters: string) => `{"gameFilters":{"game":"emberfall","filters":${filters}}}`
const ids = (length: number) => Array.from({ length }, (_, id) => id)

/** A path, or the body of a search, and the field of it that is wrong. */
const wrong: ReadonlyArray<readonly [request: string | object, field: string]> = [
  ["/v1/feeds/emberfall/changelog?includeChanges=maybe", "includeChanges"],
  ["/v1/products/abc", "productId"],
  // One more than the greatest id.
  ["/v1/products/9007199254740992", "productId"],
  ["/v1/products/one/sales", "productId"],
  ["/v1/products/10238/prices/history?from=2026-02-31", "from"],
  ["/v1/products/10238/prices/history?from=2026-03-02&to=2026-03-01", "from"],
  ["/v1/products/10238/prices/history?finish=", "finish"],
  ["{", "body"],
  [{ productIds: ids(201) }, "productIds"],
  [{ sourceEur: [-1] }, "sourceEur.0"],
  [{ limit: 500 }, "limit"],
  [{ sortBy: "price" }, "sortBy"],
  [{ gameFilters: { game: "none" } }, "gameFilters.game"],
  [{ gameFilters: { game: "emberfall", filters: { cost: { like: 3 } } } }, "gameFilters.filters.cost"],
  [{ listings: {}, sortBy: "releaseDate" }, "sortBy"],
  [{ listings: {}, offset: 300_000 }, "offset"],
  [deepList, "body"],
  [`{"name":${deepList}}`, "name"],
  [`{"gameFilters":${deepObject}}`, "gameFilters.game"],
  [inFilters(deepObject), "gameFilters.filters.a"],
  [inFilters(`{"cost":${deepList}}`), "gameFilters.filters.cost"],
  [inFilters(`{"cost":{"value":${deepObject}}}`), "gameFilters.filters.cost.value"],
  [inFilters(`{"cost":{"values":[2,${deepList}]}}`), "gameFilters.filters.cost.values.1"],
  [inFilters('{"cost":{"value":{"toString":1}}}'), "gameFilters.filters.cost.value"],
  [inFilters('{"cost":{"values":[[2]]}}'), "gameFilters.filters.cost.values.0"],
  [inFilters('{"cost":{"min":1e400}}'), "gameFilters.filters.cost.min"],
  ['{"productIds":[1e300]}', "productIds.0"],
  ['{"expansionId":1e400}', "expansionId"]
]

suite(Served.layer({ scopes: ["inventory:read"] }))("errors", (it) => {
  it("an id of 5,000 letters is looked up like any other", function* () {
    const gameId = "n".repeat(5000)
    assert.strictEqual((yield* ask(`/v1/feeds/${gameId}`)).json.code, "GAME_NOT_FOUND")
    const { json, status } = yield* ask(`/v1/feeds/${gameId}/changelog`)
    assert.deepEqual([status, json.code, json.data["gameId"]], [400, "GAME_NOT_FOUND", gameId])
  })

  for (const [at, [request, field]] of wrong.entries())
    it(`400 names the field, ${at}: ${JSON.stringify(request).slice(0, 60)}`, function* () {
      const isPath = typeof request === "string" && request.startsWith("/")
      const { json, status } = yield* isPath ? ask(request) : ask("/v1/products/search", { body: request })
      assert.deepEqual([status, json.code, json.data["field"]], [400, "BAD_REQUEST", field])
      assert.include(json.message, field)
      assert.isBelow(json.message.length, 200)
    })
})
