import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { folderDestination } from "../../src/warehouse/destination/folderDestination.ts"
import { exportTables } from "../../src/warehouse/drop/exportTables.ts"
import { fileCatalogue } from "../../src/warehouse/formats/iceberg/openCatalogue.ts"
import { icebergTables } from "../../src/warehouse/formats/iceberg/icebergTables.ts"
import { scratchSession } from "../../src/store/lake/duckdb/Lake.ts"
import { gameId } from "../store/lake/invented.ts"
import { filesOf, temporaryFolder, FourNights, fourNights } from "./FourNights.ts"
import { avroFileOf, fromDisk, liveFiles, metadataOf } from "./icebergReader.ts"

const dayOf = (place: number) => new Date(Date.UTC(2026, 0, place)).toISOString().slice(0, 10)

/** Puts a file of table `games` into an Iceberg table as the given day's, in its own commit. */
const committing = Effect.gen(function* () {
  const { drop } = yield* FourNights
  const [table] = exportTables("exact")
  const [source = ""] = filesOf(drop, "games")
  assert.isDefined(table)
  const folder = yield* temporaryFolder
  const to = folderDestination(folder)
  const stage = yield* to.stage
  const session = yield* scratchSession
  const { place } = icebergTables(to, fileCatalogue(to), stage)
  const commit = Effect.fnUntraced(function* (day: number, name: string) {
    const file = join(stage, "games.parquet")
    copyFileSync(source, file)
    const facts = { gameId, dt: dayOf(day), snapshots: [], isFromHistory: false, isDamaged: false }
    yield* place(session, { table, ...facts, file, rows: 1, bytes: statSync(file).size, sha256: name })
  })
  return { commit, location: join(folder, "games") }
})

fourNights("an Iceberg table of many commits", (it) => {
  it("never has more than a hundred manifests, and every earlier snapshot can still be read", function* () {
    const { services } = yield* FourNights
    const { commit, location } = yield* Effect.provideContext(committing, services)
    for (let day = 1; day <= 102; day++) yield* commit(day, `first-${day}`)
    yield* commit(5, "again-5")
    const metadata = metadataOf(location)
    const manifestsOf = (list: string) => avroFileOf(fromDisk(list)).records
    const counts = metadata.snapshots.map((snapshot) => manifestsOf(snapshot["manifest-list"]).length)
    assert.deepStrictEqual([counts[98], counts[99], counts[100], counts[101]], [99, 100, 2, 3])
    assert.strictEqual(Math.max(...counts), 100)

    const daysAt = (commits: number) =>
      liveFiles(metadata, metadata.snapshots[commits - 1]?.["snapshot-id"])
        .map(({ file_path: path }) => path.slice(path.lastIndexOf("/") + 1))
        .sort()
    const firsts = (days: number) => Array.from({ length: days }, (_, index) => `first-${index + 1}.parquet`).sort()
    for (const commits of [1, 60, 100, 101, 102]) assert.deepStrictEqual(daysAt(commits), firsts(commits))
    assert.deepStrictEqual(
      daysAt(103),
      [...firsts(102).filter((name) => name !== "first-5.parquet"), "again-5.parquet"].sort()
    )

    // What came into the table earlier keeps the number of its own commit.
    const merged = manifestsOf(metadata.snapshots[100]?.["manifest-list"] ?? "").at(-1)
    const entries = avroFileOf(fromDisk(String(merged?.["manifest_path"]))).records
    assert.sameDeepMembers(
      entries.map((entry) => [entry["status"], Number(entry["sequence_number"]), entry["snapshot_id"]]),
      metadata.snapshots.slice(0, 100).map((one) => [0, one["sequence-number"], BigInt(one["snapshot-id"])])
    )
    assert.deepStrictEqual([merged?.["existing_files_count"], Number(merged?.["min_sequence_number"])], [100, 1])
  })
})
