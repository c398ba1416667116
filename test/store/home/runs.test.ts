import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Random } from "effect"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Home } from "../../../src/store/home/Home.ts"
import { newRunId, runsWithReport } from "../../../src/store/home/newRunId.ts"
import { effect, live, testIn, newFolder } from "../../support/suite.ts"
import { emptyHome } from "../lake/handMadeNights.ts"
import { makeFolder, writeWhole } from "../../../src/store/home/disk.ts"
import { outsideHomes } from "../../../src/store/home/OutputInHome.ts"
import { NodeServices } from "@effect/platform-node"
import { DuckDBInstance } from "@duckdb/node-api"
import { examine } from "../../../pipelines/lake/examine.ts"
import { catalogueFolder, gameId } from "../lake/invented.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { deployments } from "../../safety/tinyNights.ts"
import { makeFolders } from "../../../src/market/state/openDatabase.ts"
import { tinyBucket } from "./tinyBucket.ts"

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

it("nights in parts go on from the store's day after its clock was ahead once, and say so", async () => {
  const tiny = await tinyBucket()
  const planned = async () => {
    const { stderr, stdout } = await tiny.run("plan", "--json")
    return { stderr, ...(JSON.parse(stdout) as { readonly night: string }) }
  }
  const read = async (night: string) => {
    const { stdout } = await tiny.run("nightly", gameId, "--part-of", night, "--json")
    return (JSON.parse(stdout) as { readonly done: string }).done
  }
  tiny.store.state.clock = 70 * 365 * 24 * 3600 * 1000
  const ahead = await planned()
  assert.strictEqual(await read(ahead.night), "now")
  assert.strictEqual((await tiny.run("publish", ahead.night)).code, 0)
  tiny.store.state.clock = 0
  const now = await planned()
  assert.include(now.stderr, `was ${ahead.night}, which is ahead of the store's clock`)
  assert.strictEqual(now.night.slice(0, 10), new Date().toISOString().slice(0, 10))
  assert.strictEqual(await read(now.night), "now")
  assert.strictEqual((await tiny.run("publish", now.night)).code, 0)
  await tiny.stop()
})
