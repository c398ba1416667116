import { assert } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { lakeServices } from "../../../../pipelines/settings/services.ts"
import { Lake } from "../../../../src/store/lake/duckdb/Lake.ts"
import { newFolder, testIn } from "../../../support/suite.ts"

testIn(NodeServices.layer)("DuckDB loads no extension from the user's folder and fetches none", function* () {
  const services = yield* Layer.build(lakeServices({ CARDLAKE_HOME: yield* newFolder }))
  const settings = Effect.gen(function* () {
    const session = yield* (yield* Lake).session
    return yield* session.rows(
      "Ask for settings",
      "select name, value from duckdb_settings() where name similar to 'auto(load|install)_known_extensions' order by name"
    )
  })
  assert.deepStrictEqual(yield* Effect.provideContext(settings, services), [
    { name: "autoinstall_known_extensions", value: "false" },
    { name: "autoload_known_extensions", value: "false" }
  ])
})
