import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { Home } from "../../../../src/store/home/Home.ts"
import { loadSnapshot } from "../../../../src/store/lake/load/loadSnapshot.ts"
import { readExtraction } from "../../../../src/feed/reading/readExtraction.ts"
import { readSnapshots } from "../../../../src/store/home/Manifest.ts"
import { snapshotTables } from "../../../../src/feed/schema/snapshotTables.ts"
import { RunReport } from "../../../../src/night/observe/RunReport.ts"
import { readJson } from "../../../../src/store/home/jsonFile.ts"
import { game, servedNights } from "../../../pipelines/servedNights.ts"
import { homeAt } from "../handMadeNights.ts"
import { lakeRows, tableRows } from "../tableRows.ts"
import { newFolder, suite } from "../../../support/suite.ts"

/** The services of a copy of the home after one night of the sample. */
const firstNight = Layer.unwrap(
  Effect.gen(function* () {
    const copy = yield* newFolder
    cpSync((yield* Effect.promise(servedNights)).first, copy, { recursive: true })
    return homeAt(copy)
  })
)

/** The night, and what its report says of the game. */
const sampleNight = Effect.gen(function* () {
  const [snapshot] = yield* readSnapshots(game)
  if (snapshot === undefined) return yield* Effect.die("no snapshot")
  const report = yield* readJson((yield* Home).run(snapshot.manifest.runId), RunReport)
  return { report: report.games[0], ...snapshot }
})

suite(firstNight, "a snapshot", (it) => {
  it("has the same counts in report, manifest, files and lake", function* () {
    const { folder, manifest, report } = yield* sampleNight
    for (const { name } of snapshotTables) {
      const rows = yield* tableRows(folder, name)
      const [inLake] = yield* lakeRows(`select count(*) as n from ${name}`)
      assert.deepStrictEqual(
        [name, rows.length, inLake?.["n"]],
        [name, manifest.tables[name]?.rows, String(rows.length)]
      )
    }
    const rows = (table: string) => manifest.tables[table]?.rows ?? Number.NaN
    assert.deepStrictEqual(
      [report?.products, report?.expansions, report?.prices, report?.externalIds, report?.refused],
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
    Effect.map(sampleNight, ({ folder, manifest }) => {
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
    const { manifest } = yield* sampleNight
    const extraction = yield* readExtraction((yield* Home).raw(game, manifest.runId))
    const again = yield* loadSnapshot(extraction, null)
    assert.deepStrictEqual(again.manifest.tables, manifest.tables)
  })

  it("passes every check of its tables", () =>
    Effect.map(sampleNight, ({ manifest }) => {
      assert.deepStrictEqual(
        manifest.checks,
        snapshotTables.flatMap(({ checks, name }) => checks.map((check) => ({ table: name, check, violations: 0 })))
      )
    }))

  it("without a manifest does not exist", function* () {
    const { manifest } = yield* sampleNight
    mkdirSync(join((yield* Home).root, "snapshots", `game=${game}`, "snapshot=half-written"))
    const known = yield* readSnapshots(game)
    assert.deepStrictEqual(
      known.map((snapshot) => snapshot.manifest.snapshot),
      [manifest.snapshot]
    )
  })
})
