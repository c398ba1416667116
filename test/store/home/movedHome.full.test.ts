import { assert } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { NodeServices } from "@effect/platform-node"
import { cpSync, renameSync, rmSync } from "node:fs"
import { examine } from "../../../pipelines/lake/examine.ts"
import { queryTable } from "../../../pipelines/lake/runQuery.ts"
import { runNight } from "../../../src/night/run/runNight.ts"
import { allServices } from "../../../pipelines/settings/services.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { deployments } from "../../safety/tinyNights.ts"
import { catalogueFolder, gameId } from "../lake/invented.ts"
import { live } from "../../support/suite.ts"

live("a moved home says so; the next night rebuilds its lake, and queries work again", function* () {
  const { home, night, sandbox, settings } = yield* marketplaceAndHome({
    catalogue: yield* catalogueFolder({ [gameId]: deployments })
  })
  yield* night(gameId)
  yield* sandbox.deploy(gameId)
  yield* night(gameId)
  const moved = `${home}-moved`
  renameSync(home, moved)
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(moved, { recursive: true, force: true })))
  const services = yield* Layer.build(
    allServices({ ...settings, CARDLAKE_HOME: moved }).pipe(Layer.provideMerge(NodeServices.layer))
  )
  const findings = yield* Effect.provideContext(
    examine({ ...settings, CARDLAKE_HOME: moved }, Duration.hours(36)),
    services
  )
  const lake = findings.find(({ name }) => name === "lake")
  assert.isFalse(lake?.ok)
  assert.include(lake?.says ?? "", `built in ${home}, and its history reads the files there`)
  const refused = yield* Effect.flip(Effect.provideContext(queryTable("from changes", { allowFiles: true }), services))
  assert.match(refused.message, /Rebuild it for where it is now with: cardlake doctor --repair$/)
  const report = yield* Effect.provideContext(
    runNight([gameId], () => {}),
    services
  )
  assert.strictEqual(report.verdict, "unchanged")
  const counted = yield* Effect.provideContext(
    queryTable("select count(*) > 0 as answers from changes", { allowFiles: true }),
    services
  )
  assert.include(counted, "true")

  // From its next night on, a copy reads its own files: queries work even if the original home is gone.
  const copy = `${home}-copy`
  cpSync(moved, copy, { recursive: true })
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(copy, { recursive: true, force: true })))
  const ofCopy = yield* Layer.build(
    allServices({ ...settings, CARDLAKE_HOME: copy }).pipe(Layer.provideMerge(NodeServices.layer))
  )
  const again = runNight([gameId], () => {})
  assert.strictEqual((yield* Effect.provideContext(again, ofCopy)).verdict, "unchanged")
  rmSync(moved, { recursive: true })
  for (const table of ["changes", "source_price_history"]) {
    const sql = `select count(*) > 0 as answers from ${table}`
    assert.include(yield* Effect.provideContext(queryTable(sql, { allowFiles: true }), ofCopy), "true")
  }
})
