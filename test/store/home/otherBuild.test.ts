import { NodeServices } from "@effect/platform-node"
import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { join } from "node:path"
import { examine } from "../../../pipelines/lake/examine.ts"
import { catalogueFolder } from "../lake/catalogueFolder.ts"
import { gameId } from "../lake/invented.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { deployments } from "../../safety/tinyNights.ts"
import { testIn } from "../../support/suite.ts"

testIn(NodeServices.layer)("a lake that another build made is a doubt of doctor, not damage", function* () {
  const catalogue = yield* catalogueFolder({ [gameId]: deployments })
  const { home, night, settings } = yield* marketplaceAndHome({ catalogue })
  yield* night(gameId)
  yield* Effect.promise(async () => {
    const instance = await DuckDBInstance.create(join(home, "lake.duckdb"))
    const connection = await instance.connect()
    await connection.run("drop view files.made_from")
    connection.closeSync()
    instance.closeSync()
  })
  const findings = yield* examine(settings, Duration.hours(36))
  assert.deepStrictEqual(
    findings.filter(({ ok }) => !ok),
    []
  )
  const doubts = findings.filter(({ name }) => name === "doubt").map(({ says }) => says)
  assert.match(
    doubts.join("\n"),
    /Another version of Cardlake built the lake.*to rebuild it now: cardlake doctor --repair/
  )
})
