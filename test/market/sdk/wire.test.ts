import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import recorded from "../../../src/market/description/examples.json" with { type: "json" }
import { marketplaceDocument } from "../../../src/market/description/descriptionRoutes.ts"
import { listOperations } from "../../../src/market/description/Document.ts"
import { remove, root, temporaryFolder } from "../../pipelines/cli.ts"
import { sameAnswers } from "./answerTypes.ts"
import { operationRow } from "../../../.ci/wire/operations.ts"
import { wireText } from "../../../.ci/wire/wireText.ts"
import { operations } from "../../../src/market/sdk/operations.ts"

const folder = join(root, "src/market/sdk")
const examples: Readonly<Record<string, { readonly body?: unknown; readonly answer?: unknown }>> = recorded.marketplace

/** Returns the errors of tsc for programs that use the types of the client, by the name of the program. */
const compiled = (programs: Readonly<Record<string, string>>) => {
  const here = temporaryFolder()
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(here, `${name}.ts`), code)
  const flags = "--noEmit --strict --target es2022 --module nodenext --allowImportingTsExtensions --ignoreConfig"
  const files = Object.keys(programs).map((name) => `${name}.ts`)
  const { stdout } = spawnSync(
    join(root, "node_modules/.bin/tsc"),
    [...flags.split(" "), "--pretty", "false", "--types", "", ...files],
    { encoding: "utf8", cwd: here }
  )
  remove(here)
  return stdout.split("\n").filter((line) => line !== "")
}

const types = `import type { MarketEvent, Operations } from "${join(folder, "client.ts")}"\n`

describe("the records of the client", () => {
  it("are those of the contract; node .ci/wire/write.ts writes them anew", () =>
    assert.strictEqual(readFileSync(join(folder, "wire.ts"), "utf8"), wireText(marketplaceDocument())))

  it("are sent by the operations of the contract", () => {
    const document = marketplaceDocument()
    const rows = listOperations(document.paths).map((one) => [one.operation.operationId, operationRow(one, document)])
    assert.deepStrictEqual(operations as unknown, Object.fromEntries(rows))
  })

  it("have the types of the contract's schemas, which the type check compares", () => assert.isTrue(sameAnswers))

  it("name every field of every recorded request, answer and event, fit it, and refuse a field that is not there, a word that is no status, and a line without its product", () => {
    const { paths, webhooks = {} } = marketplaceDocument()
    const wire = listOperations(paths).flatMap(({ method, operation: { operationId }, path }, at) => {
      const { answer, body } = examples[`${method.toUpperCase()} ${path}`] ?? {}
      assert.isDefined(answer, operationId)
      const type = `Operations["${operationId}"]`
      const sent = body === undefined ? "" : `export const sent${at}: ${type}["body"] = ${JSON.stringify(body)}`
      return [sent, `export const answer${at}: ${type}["answer"] = ${JSON.stringify(answer)}`]
    })
    const events = Object.keys(webhooks).map(
      (type, at) => `export const event${at}: MarketEvent = ${JSON.stringify(examples[type]?.body)}`
    )
    assert.deepStrictEqual([wire.length, events.length], [116, 7])
    const wrong = [
      `const sale = {} as Operations["sales.sale"]["answer"]; sale.shippedOn`,
      `const query: Operations["sales.sales"]["query"] = { status: ["sent"] }`,
      `const body: Operations["inventory.createLines"]["body"] = { lines: [{ finish: "Foil", quantity: 1 }] }`
    ]
    const faults = compiled({ right: [types, ...wire, ...events].join("\n"), wrong: [types, ...wrong].join("\n") })
    assert.deepStrictEqual(
      faults.filter((line) => line.startsWith("right.ts")),
      []
    )
    assert.match(
      faults.join("\n"),
      /'shippedOn' does not exist[\s\S]*"sent"' is not assignable[\s\S]*'productId' is missing/
    )
  })
})
