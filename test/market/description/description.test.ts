import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type AnswerDocument, answerFaults } from "./answerFault.ts"
import { ask, Served } from "../Served.ts"
import { recordExamples } from "./recordExamples.ts"
import { suite } from "../../support/sandbox.ts"

interface Media {
  readonly example?: unknown
  readonly schema: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly summary?: string
  readonly parameters: ReadonlyArray<{
    readonly name?: string
    readonly $ref?: string
    readonly schema?: object
    readonly style?: string
  }>
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content?: Readonly<Record<string, Media>> }>
  >
}

interface Description {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
}

const described = (path: string) => Effect.map(ask(path), ({ json }) => json as unknown as Description)
const addresses = ["/openapi.json", "/sandbox/openapi.json"]

const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operation
    }))
  )

const answerOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content?.["application/json"]

/** The keys of a value and the kinds of what is in it; of a list, those of its items. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))].sort()
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
}

suite(Served.layer({ faults: {} }))("the description", (it) => {
  for (const address of addresses) {
    it(`${address} has a summary and a real example of every operation, as its schemas say`, function* () {
      const description = yield* described(address)
      const faults = answerFaults(description as unknown as AnswerDocument)
      for (const { method, name, operation, path } of operationsOf(description)) {
        assert.match(operation.summary ?? "", /^[A-Z]/, name)
        const [status = ""] = Object.keys(operation.responses)
        const { example } = answerOf(operation) ?? {}
        assert.isDefined(example, name)
        assert.isUndefined(faults.body(method, path, Number(status), example), name)
        const body = operation.requestBody?.content["application/json"]
        if (operation.requestBody?.required !== true || body === undefined) continue
        assert.isDefined(body.example, name)
        assert.isUndefined(faults.request(method, path, body.example), name)
      }
    })
  }

  it("shows what the sandbox answers now; node test/market/description/writeExamples.ts records it anew", function* () {
    const recorded = yield* recordExamples
    const all = { ...recorded.marketplace, ...recorded.control }
    const marketplace = yield* described("/openapi.json")
    const shown = [marketplace, yield* described("/sandbox/openapi.json")].flatMap(operationsOf)
    for (const { name, operation } of shown) {
      assert.deepEqual(shapeOf(answerOf(operation)?.example), shapeOf(all[name]?.answer), name)
    }
    const faults = answerFaults(marketplace as unknown as AnswerDocument)
    for (const [type, { post }] of Object.entries(marketplace.webhooks)) {
      const body = all[type]?.body
      assert.isUndefined(faults.event(type, body), type)
      const example = post?.requestBody?.content["application/json"]?.example
      assert.deepEqual(shapeOf(example), shapeOf(body), type)
    }
  })

  it("names its records, leaves them open, and says decimals, numbers and texts as they are enforced", function* () {
    const description = yield* described("/openapi.json")
    const { schemas } = description.components
    assert.includeMembers(Object.keys(schemas), ["Sale", "SalePage", "Money", "InventoryLine", "Product", "NotFound"])
    assert.notInclude(JSON.stringify(description), "multipleOf")
    // A list beside it would not compile in Java's client for java.net.http.
    const search = schemas["InventorySearch"]! as { readonly properties: Readonly<Record<string, object>> }
    assert.deepInclude(search.properties["condition"], { $ref: "#/components/schemas/ConditionFilter" })
    const closed = Object.keys(schemas).filter((name) => schemas[name]?.["additionalProperties"] === false)
    assert.deepEqual(closed.sort(), ["GradedRequest", "LineChange", "TagChange"])
    const { parameters, responses } = description.paths["/v1/sales"]!["get"]!
    assert.deepEqual(parameters.find(({ name }) => name === "limit")?.schema, {
      type: "integer",
      minimum: 1,
      maximum: 100,
      default: 50
    })
    assert.deepInclude(
      parameters.find(({ name }) => name === "metadata"),
      { style: "deepObject" }
    )
    assert.deepEqual(Object.keys(responses["429"]?.headers ?? {}), [
      "X-Request-Id",
      "X-RateLimit-Limit",
      "X-RateLimit-Remaining",
      "Retry-After"
    ])
    const refund = description.paths["/v1/sales/{orderNumber}/refunds"]!["post"]!
    assert.deepInclude(refund.parameters, { $ref: "#/components/parameters/IdempotencyKey" })
  })

  it("names the server that was asked", function* () {
    const { url } = yield* Served
    for (const address of addresses) assert.strictEqual((yield* described(address)).servers[0]?.url, url)
  })

  it("tells how to sell a first card in operations that are there", function* () {
    const documents = [yield* described("/openapi.json"), yield* described("/sandbox/openapi.json")]
    const names = new Set(documents.flatMap(operationsOf).map(({ name }) => name))
    const words = documents.map((each) => (each as unknown as { info: { description: string } }).info.description)
    const mentioned = [...words.join("\n").matchAll(/`((?:GET|POST) \/[^`]+)`/g)].map((match) => match[1] ?? "")
    assert.isAbove(mentioned.length, 10)
    for (const name of mentioned) assert.isTrue(names.has(name), name)
  })

  it("shows at /docs?find= the operations and records that have all of the words", function* () {
    const { url } = yield* Served
    const found = (find: string) =>
      Effect.promise(() => fetch(`${url}/docs?find=${find}`).then((answer) => answer.text()))
    const page = yield* found("POST+Refund")
    assert.include(page, "/v1/sales/{orderNumber}/refunds")
    assert.notInclude(page, "/v1/cart/items")
    assert.notInclude(yield* found("xyzzy"), "<details")
  })

  it("is a page at /docs, where / leads, with every operation and event, and without scripts", function* () {
    const { url } = yield* Served
    const { headers, page, reached } = yield* Effect.promise(async () => {
      const answer = await fetch(url)
      return { reached: answer.url, headers: answer.headers, page: await answer.text() }
    })
    assert.strictEqual(reached, `${url}/docs`)
    assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/)
    assert.notInclude(page, "<script")
    for (const address of addresses) {
      for (const { path } of operationsOf(yield* described(address))) assert.include(page, path)
    }
    for (const type of Object.keys((yield* described("/openapi.json")).webhooks)) assert.include(page, type)
  })
})
