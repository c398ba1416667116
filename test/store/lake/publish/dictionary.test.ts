import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { dictionary, runDescribe } from "../../../../pipelines/describe.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { live } from "../../../support/suite.ts"

const catalogue = fileURLToPath(new URL("../../../../data/sample", import.meta.url))
const written = readFileSync(new URL("../../../../data/DICTIONARY.md", import.meta.url), "utf8")

live("data/DICTIONARY.md is what a lake says of itself", function* () {
  const { night, services } = yield* marketplaceAndHome({ catalogue })
  yield* night("clockwork-orchard")
  const described = yield* Effect.provideContext(runDescribe(null), services)
  assert.strictEqual(`${dictionary(described)}\n`, written)
  for (const { columns, name } of described) {
    for (const column of columns) assert.notStrictEqual(column.comment, "", `${name}.${column.name}`)
  }
})
