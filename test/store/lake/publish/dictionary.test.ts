import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { dictionary, runDescribe } from "../../../../pipelines/describe.ts"
import { cardlake } from "../../../pipelines/cli.ts"
import { effect, testIn } from "../../../support/suite.ts"
import { sampleHome } from "../sampleHome.ts"

const written = readFileSync(new URL("../../../../data/DICTIONARY.md", import.meta.url), "utf8")

testIn(sampleHome)("data/DICTIONARY.md is what a lake says of itself", function* () {
  const described = yield* runDescribe(null)
  assert.strictEqual(`${dictionary(described)}\n`, written)
  for (const { columns, name } of described) {
    for (const column of columns) assert.notStrictEqual(column.comment, "", `${name}.${column.name}`)
  }
})

effect("describe --er prints keys, and links a table to the narrowest tables that its columns name", function* () {
  const { stdout } = yield* Effect.promise(() => cardlake(["describe", "--er"]))
  const [first, ...lines] = stdout.trimEnd().split("\n")
  assert.strictEqual(first, "erDiagram")
  const table = [
    "  products {",
    "    varchar game_id PK, FK",
    "    bigint product_id PK",
    "    bigint expansion_id FK",
    "  }"
  ]
  assert.include(stdout, table.join("\n"))
  const links = lines.filter(
    (line) => line.includes("||--o{") && / (products|expansions|deployment_changes) :/.test(line)
  )
  assert.deepStrictEqual(links, [
    '  games ||--o{ expansions : "game_id"',
    '  expansions ||--o{ products : "game_id, expansion_id"',
    '  deployments ||--o{ deployment_changes : "game_id, deployment_id"'
  ])
  for (const line of lines)
    assert.match(line, /^ {2}(\w+ \{|\}|\w+ \|\|--o\{ \w+ : "[\w, ]+"| {2}\w+ \w+ (PK|FK|PK, FK))$/)
  const both = yield* Effect.promise(() => cardlake(["describe", "products", "--er"]))
  assert.strictEqual(both.code, 2)
})
