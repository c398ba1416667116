import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { dayOf, FourNights, fourNights, exportTo, temporaryFolder } from "./FourNights.ts"
import { logFile } from "../../src/warehouse/formats/delta/deltaLog.ts"
import { withCall } from "./withCall.ts"

const firstDay = { since: dayOf(1), until: dayOf(1), backfill: false }

/** In every staging folder, this file is on a full disk. */
const fullDiskFor = (name: string) =>
  withCall("mkdtemp", (mkdtemp) => async (prefix: string) => {
    const folder = await mkdtemp(prefix)
    if (prefix.includes("_staging")) symlinkSync("/dev/full", join(folder, name))
    return folder
  })

/** Files of this name cannot be read: permissions alone would not stop root. */
const unreadable = (name: string) =>
  withCall(
    "readFile",
    (readFile) =>
      (path: string, ...as: ReadonlyArray<"utf8">) =>
        path.endsWith(name)
          ? Promise.reject(new Error(`EACCES: permission denied, open '${path}'`))
          : readFile(path, as[0] ?? null)
  )

fourNights("a destination that cannot be written to", (it) => {
  const messageOf = Effect.fnUntraced(function* (folder: string) {
    const { _tag, message } = yield* Effect.flip(exportTo(folder, { tables: ["games"] }))
    assert.strictEqual(_tag, "DestinationFailed")
    assert.notInclude(message, "home")
    return message
  })
  const begun = Effect.fnUntraced(function* (format: "delta" | "ducklake" | "iceberg") {
    const folder = yield* temporaryFolder
    const first = exportTo(folder, { format, tables: ["games"], span: firstDay })
    yield* first
    return folder
  })

  it.home("is what the message names, instead of the home, even where DuckDB writes", function* (folder) {
    yield* fullDiskFor("games.parquet")
    assert.match(yield* messageOf(folder), /_staging\/.*games\.parquet.* The disk is full\. Free space/)
  })

  it.home("is named where its parent takes no folders", function* () {
    assert.match(yield* messageOf("/proc/drop"), /mkdir '\/proc\/drop'/)
  })

  it.home("is named where an Iceberg table's manifests no longer fit on its disk", function* () {
    const folder = yield* begun("iceberg")
    yield* fullDiskFor("metadata.avro")
    assert.match(yield* messageOf(folder), /ENOSPC.* The disk is full\. Free space, then export again$/)
  })

  it.home("is named where a Delta table's checkpoint no longer fits on its disk", function* () {
    const folder = yield* begun("delta")
    for (let version = 2; version <= 12; version++) writeFileSync(join(folder, logFile("games", version, "json")), "")
    yield* fullDiskFor("actions.ndjson")
    assert.match(yield* messageOf(folder), /ENOSPC.* The disk is full\. Free space, then export again$/)
  })

  for (const [fault, next] of [
    ["database or disk is full", /The disk is full\. Free space/],
    ["attempt to write a readonly database", /Check the owner and permissions of the folder/]
  ] as const) {
    it.home(`is named where a DuckLake's catalogue answers: ${fault}`, function* () {
      const folder = yield* begun("ducklake")
      const catalogue = new DatabaseSync(join(folder, "ducklake.sqlite"))
      const refuse = `begin select raise(abort, '${fault}'); end`
      catalogue.exec(`create trigger refuse before insert on ducklake_snapshot ${refuse}`)
      catalogue.close()
      assert.match(yield* messageOf(folder), next)
    })
  }

  it.home("or read is named when it is verified", function* () {
    const { drop } = yield* FourNights
    yield* unreadable("part-00000.parquet")
    const { message } = yield* Effect.flip(verifyDrop(drop))
    assert.match(message, /^Hash .*part-00000\.parquet failed: EACCES.* Check the owner and permissions of the folder/)
  })

  it.home("because it is a file is refused", function* () {
    const file = join(yield* temporaryFolder, "drop")
    writeFileSync(file, "mine")
    const { message } = yield* Effect.flip(exportTo(file))
    assert.strictEqual(message, `${file} is not a folder. Export to an empty folder`)
  })
})
