import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Home } from "../../../../src/store/home/Home.ts"
import { loadSnapshot } from "../../../../src/store/lake/load/loadSnapshot.ts"
import { readExtraction } from "../../../../src/feed/reading/readExtraction.ts"
import { readSnapshots } from "../../../../src/store/home/Manifest.ts"
import { snapshotTables } from "../../../../src/feed/schema/snapshotTables.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { lakeRows, tableRows } from "../tableRows.ts"
import { suite } from "../../../support/suite.ts"

const sample = fileURLToPath(new URL("../../../../data/sample", import.meta.url))
const gameId = "emberfall"

/** One night over the sample catalogue, shared by all tests. */
class SampleNight extends Context.Service<SampleNight, Effect.Success<typeof sampleNight>>()(
  "cardlake/test/SampleNight"
) {}
const sampleNight = Effect.gen(function* () {
  const { home, night, services } = yield* marketplaceAndHome({ catalogue: sample, odd: true })
  const report = yield* night(gameId)
  const [snapshot] = yield* Effect.provideContext(readSnapshots(gameId), services)
  if (snapshot === undefined) return yield* Effect.die("no snapshot")
  return { home, services, report, game: report.games[0], ...snapshot }
})

suite(Layer.effect(SampleNight, sampleNight), "a snapshot", (it) => {
  it("has the same counts in report, manifest, files and lake", function* () {
    const { folder, game, manifest, services } = yield* SampleNight
    for (const { name } of snapshotTables) {
      const rows = yield* Effect.provideContext(tableRows(folder, name), services)
      const [inLake] = yield* Effect.provideContext(lakeRows(`select count(*) as n from ${name}`), services)
      assert.deepStrictEqual(
        [name, rows.length, inLake?.["n"]],
        [name, manifest.tables[name]?.rows, String(rows.length)]
      )
    }
    const rows = (table: string) => manifest.tables[table]?.rows ?? Number.NaN
    assert.deepStrictEqual(
      [game?.products, game?.expansions, game?.prices, game?.externalIds, game?.refused],
      [
        rows("products"),
        rows("expansions"),
        rows("source_prices") + rows("marketplace_prices"),
        rows("external_ids"),
        rows("refusals")
      ]
    )
  })

  it("names every file with its size and sha256, and no other", () =>
    Effect.map(SampleNight, ({ folder, manifest }) => {
      const files = readdirSync(folder).filter((name) => name !== "manifest.json")
      const found = files.map((name) => {
        const path = join(folder, name)
        const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex")
        return [basename(name, ".parquet"), { sizeBytes: statSync(path).size, sha256 }] as const
      })
      const named = Object.entries(manifest.tables).map(([name, { sha256, sizeBytes }]) => [
        name,
        { sizeBytes, sha256 }
      ])
      assert.deepStrictEqual(Object.fromEntries(found), Object.fromEntries(named))
    }))

  it("is written with the same bytes when the same pages are loaded again", function* () {
    const { manifest, services } = yield* SampleNight
    const again = yield* Effect.gen(function* () {
      const extraction = yield* readExtraction((yield* Home).raw(gameId, manifest.runId))
      return yield* loadSnapshot(extraction, null)
    }).pipe(Effect.provideContext(services))
    assert.deepStrictEqual(again.manifest.tables, manifest.tables)
  })

  it("passes every check of its tables", () =>
    Effect.map(SampleNight, ({ manifest }) => {
      assert.deepStrictEqual(
        manifest.checks,
        snapshotTables.flatMap(({ checks, name }) => checks.map((check) => ({ table: name, check, violations: 0 })))
      )
    }))

  it("without a manifest does not exist", function* () {
    const { home, manifest, services } = yield* SampleNight
    mkdirSync(join(home, "snapshots", `game=${gameId}`, "snapshot=half-written"))
    const known = yield* Effect.provideContext(readSnapshots(gameId), services)
    assert.deepStrictEqual(
      known.map((snapshot) => snapshot.manifest.snapshot),
      [manifest.snapshot]
    )
  })
})
