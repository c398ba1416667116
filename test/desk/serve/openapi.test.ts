import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { OpenApi } from "effect/http-api"
import { game, servedNights } from "../../pipelines/servedNights.ts"
import { homeAt } from "../../store/lake/handMadeNights.ts"
import { live } from "../../support/suite.ts"
import { serving } from "./served.ts"

const { home } = await servedNights()

live("the server describes all that programs can ask, with types, and has the pages beside it", function* () {
  const { get } = yield* serving().pipe(Effect.provide(homeAt(home)))
  const { components, info, paths, servers } = JSON.parse((yield* get("/openapi.json")).text) as OpenApi.OpenAPISpec
  const every = ["400", "401", "403", "500", "503"]
  const file = ["200", "206", "304", "404", "410", "416"]
  assert.deepStrictEqual(
    Object.entries(paths).map(([path, { get: of }]) => [path, Object.keys(of?.responses ?? {}).toSorted()]),
    [
      ["/v1/changes", [...file, ...every].toSorted()],
      ["/v1/publications", ["200", "410", ...every].toSorted()],
      ["/v1/products/{game}/{id}", ["200", "404", ...every].toSorted()],
      ["/v1/tables/{name}/{file}", [...file, ...every].toSorted()]
    ]
  )
  for (const { get: of } of Object.values(paths)) {
    assert.deepStrictEqual(of?.security, [{}, { token: [] }])
    for (const { name, schema } of of?.parameters ?? []) assert.property(schema, "description", name)
  }
  const largest = Number.MAX_SAFE_INTEGER
  const numbers = Object.values(paths).flatMap(({ get: of }) =>
    (of?.parameters ?? []).flatMap(({ name, schema }) => {
      const { maximum, minimum, type } = schema as Readonly<Record<string, unknown>>
      return type === "integer" ? [[name, minimum, maximum]] : []
    })
  )
  assert.deepStrictEqual(numbers, [
    ["since", 0, largest],
    ["limit", 1, 100_000],
    ["wait", 0, 60],
    ["since", 0, largest],
    ["limit", 1, 10_000],
    ["id", 0, largest],
    ["sequence", 0, largest]
  ])
  // oxlint-disable-next-line typescript/no-explicit-any
  const answer = (path: string, status = "200") => paths[path]?.get?.responses[status as "200"] as any
  const document = (path: string) => answer(path).content["application/json"].schema.properties
  const { enum: kinds } = document("/v1/changes").changes.items.properties.kind
  assert.deepStrictEqual(kinds, ["added", "removed", "modified", "moved"])
  assert.strictEqual(document("/v1/changes").changes.items.properties.id.type, "integer")
  assert.strictEqual(document("/v1/publications").publications.items.properties.sequence.type, "integer")
  const { properties: price } = document("/v1/products/{game}/{id}").series.items
  assert.deepStrictEqual(price.market_value.anyOf.at(-1), { type: "null" })
  for (const status of ["200", "206", "304"]) {
    assert.property(answer("/v1/changes", status).headers, "etag")
    assert.property(answer("/v1/tables/{name}/{file}", status).headers, "etag")
  }
  assert.deepStrictEqual(servers, [{ url: "/" }])
  assert.strictEqual(info.version, "1")
  assert.deepInclude(components.securitySchemes["token"], { type: "http", scheme: "bearer" })
  assert.match((yield* get(`/games/${game}/movers`)).text, /<h1>/)
})
