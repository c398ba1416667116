import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import type { KnownDialect } from "../../../src/feed/contract/dialect/dialects.ts"
import { readerKey, recordFixtures } from "../../../src/market/recording/recordFixtures.ts"
import { type AnswerDocument, answerFaults } from "../description/answerFault.ts"
import { ask, Served } from "../Served.ts"
import { suite } from "../../support/sandbox.ts"
import { newFolder } from "../../support/suite.ts"

interface Fixture {
  readonly request: { readonly method: string; readonly path: string }
  readonly answer: { readonly status: number; readonly body: unknown }
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

/** Records the fixtures of a sandbox into a folder that goes with the test. */
const recorded = Effect.fnUntraced(function* (dialect: KnownDialect) {
  const folder = yield* newFolder
  const { origin } = yield* Served
  const counted = yield* recordFixtures(origin, folder, dialect)
  const files = (kind: string) =>
    readdirSync(join(folder, kind)).map((name) => [name, readFileSync(join(folder, kind, name), "utf8")] as const)
  return { counted, files }
})

suite(Served.layer({ key: readerKey, faults: {} }))("recorded fixtures", (it) => {
  it("are not written among files of somebody else", function* () {
    const folder = yield* newFolder
    writeFileSync(join(folder, "README.md"), "mine")
    const { message } = yield* Effect.flip(recordFixtures((yield* Served).origin, folder, "spec"))
    assert.match(message, /it has files that no recording wrote\. Name another folder: cardlake sandbox --record DIR$/)
    assert.deepEqual([readdirSync(folder), readFileSync(join(folder, "README.md"), "utf8")], [["README.md"], "mine"])
  })

  it("are a request and answer of every operation, as described, without keys, and signed events", function* () {
    const { counted, files } = yield* recorded("spec")
    assert.deepInclude(counted, { operations: 58, errors: 6, webhooks: 7 })
    const description = (yield* ask("/openapi.json")).json as unknown as Described
    const faults = answerFaults(description as unknown as AnswerDocument)
    const operations = new Map(files("operations"))
    for (const [path, methods] of Object.entries(description.paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) {
        const { answer, request } = JSON.parse(operations.get(`${operationId}.json`) ?? "") as Fixture
        assert.strictEqual(request.method.toLowerCase(), method)
        assert.isUndefined(faults.body(method, path, answer.status, answer.body), operationId)
      }
    }
    for (const [name, text] of [...operations, ...files("errors")]) assert.notMatch(text, /cl_sandbox_\w{8}/, name)
    for (const [name, text] of files("errors")) {
      assert.strictEqual((JSON.parse(text) as Fixture).answer.status, Number.parseInt(name))
    }
    for (const [name, text] of files("webhooks")) {
      const { body, headers, secret, type } = JSON.parse(text) as Record<string, string> & {
        readonly headers: Record<string, string>
      }
      assert.strictEqual(name, `${type}.json`)
      assert.deepInclude(new Webhook(secret ?? "").verify(body ?? "", headers) as object, { type })
    }
  })
})

suite(Served.layer({ key: readerKey, faults: {}, dialect: "live" }))("fixtures in the live service's words", (it) => {
  it.full("have its blocks", function* () {
    const { files } = yield* Effect.provideService(recorded("live"), Served, {
      ...(yield* Served),
      url: (yield* Served).origin
    })
    const [, product = ""] = files("operations").find(([name]) => name === "catalogue.product.json") ?? []
    assert.include(product, `"cardmarket"`)
    assert.notInclude(product, `"sourceEur"`)
  })
})
