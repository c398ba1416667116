import { assert, describe } from "@effect/vitest"
import { Duration, Effect, Random, Layer } from "effect"
import { existsSync, mkdirSync, writeFileSync, cpSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Home } from "../../../src/store/home/Home.ts"
import { newRunId, runsWithReport } from "../../../src/store/home/newRunId.ts"
import { effect, live, testIn, newFolder } from "../../support/suite.ts"
import { emptyHome } from "../lake/handMadeNights.ts"
import { makeFolder, writeWhole } from "../../../src/store/home/disk.ts"
import { outputFile, outsideHomes } from "../../../src/store/home/OutputInHome.ts"
import { NodeServices } from "@effect/platform-node"
import { DuckDBInstance } from "@duckdb/node-api"
import { examine } from "../../../pipelines/lake/examine.ts"
import { catalogueFolder, gameId } from "../lake/invented.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { deployments } from "../../safety/tinyNights.ts"
import { makeFolders } from "../../../src/market/state/openDatabase.ts"
import { queryTable } from "../../../pipelines/lake/runQuery.ts"
import { isFull } from "../../tried.ts"
import { runNight } from "../../../src/night/run/runNight.ts"
import { allServices } from "../../../pipelines/settings/marketServices.ts"

effect("files beside reports whose names no run can have are no runs, and stop none", () =>
  Effect.gen(function* () {
    const { runs } = yield* Home
    mkdirSync(runs, { recursive: true })
    for (const name of ["a\\b.json", ".json", "..json", "notes.txt", "r1.json", "99991399T999999999Z-ffff.json"])
      writeFileSync(join(runs, name), "{}")
    assert.deepStrictEqual((yield* runsWithReport).toSorted(), ["99991399T999999999Z-ffff", "r1"])
    assert.match(yield* newRunId, /^19700101T000000000Z-[0-9a-f]{4}$/)
  }).pipe(Effect.provide(emptyHome))
)

effect("a run's id has four digits, whichever number is drawn", () =>
  Effect.gen(function* () {
    for (const drawn of [0, 1 - 2 ** -53]) {
      const random = { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => drawn }
      const id = yield* Effect.provideService(newRunId, Random.Random, random)
      assert.match(id, /^19700101T000000000Z-(0000|ffff)$/)
    }
  }).pipe(Effect.provide(emptyHome))
)

const refusal = <E extends { readonly message: string }>(effect: Effect.Effect<unknown, E>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: ({ message }) => message })

// Elsewhere nothing is there that takes no folders.
describe.skipIf(!existsSync("/proc/self"))("what can be written nowhere ends", () => {
  live("where a folder takes no other folders", function* () {
    assert.match(yield* refusal(writeWhole("/proc/x/report.md", "text")), /ENOENT/)
    assert.match(yield* refusal(makeFolder("/proc/x/y")), /ENOENT/)
    assert.throws(() => makeFolders("/proc/x/y"), /ENOENT/)
  })

  live("where a device or a folder has the name", function* () {
    const folder = yield* newFolder
    for (const file of ["/dev/full", "/dev/null", folder])
      assert.strictEqual(
        yield* refusal(outsideHomes(file)),
        `${file} is not a regular file. Nothing was written to it. Name a file`
      )
    assert.strictEqual(yield* refusal(outsideHomes(join(folder, "new.md"))), "done")
    assert.strictEqual(yield* refusal(outputFile(join(folder, "new.csv"))), "done")
    const nowhere = join(folder, "none", "new.csv")
    assert.match(yield* refusal(outputFile(nowhere)), /its folder does not exist\. Create it first/)
  })
})

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
    /Another version of Cardlake built the lake: .*The next night .*to rebuild it now: cardlake doctor --repair/
  )
})

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

  if (!isFull) return
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
