import { testIn } from "../support/suite.ts"
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folderDestination } from "../../src/warehouse/destination/folderDestination.ts"
import { exportTables } from "../../src/warehouse/drop/exportTables.ts"
import { temporaryFolder } from "./FourNights.ts"
import { fileCatalogue } from "../../src/warehouse/formats/iceberg/openCatalogue.ts"

const snapshotOf = (place: number) => ({
  "snapshot-id": place,
  "sequence-number": place,
  "timestamp-ms": 1_800_000_000_000 + place,
  "manifest-list": "none",
  summary: { operation: "append" as const }
})

/** A table of this many commits in a folder, each by a catalogue that has just been opened. */
const committedTable = Effect.fnUntraced(function* (commits: number) {
  const folder = join(yield* temporaryFolder, "place")
  const [table] = exportTables("exact")
  assert.isDefined(table)
  const open = () => fileCatalogue(folderDestination(folder))
  const metadata = join(folder, table.name, "metadata")
  const commit = Effect.fnUntraced(function* (place: number) {
    const catalogue = open()
    const found = (yield* catalogue.find(table)) ?? (yield* catalogue.create(table))
    yield* catalogue.commit(found, { schema: null, spec: null, snapshot: snapshotOf(place) })
  })
  for (let place = 1; place <= commits; place++) yield* commit(place)
  return { folder, metadata, commit, find: Effect.suspend(() => open().find(table)) }
})

const versionsIn = (metadata: string) =>
  readdirSync(metadata)
    .flatMap((name) => /^v(\d+)\.metadata\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)

testIn(NodeServices.layer)("an Iceberg table keeps its first metadata, its last, and the ten before it", function* () {
  const { metadata } = yield* committedTable(14)
  assert.deepStrictEqual(versionsIn(metadata), [1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  assert.strictEqual(readFileSync(join(metadata, "version-hint.text"), "utf8"), "15")
})

testIn(NodeServices.layer)(
  "metadata that lists files of others as its own earlier ones deletes none of them",
  function* () {
    const { commit, folder, metadata } = yield* committedTable(10)
    const strangers = [join(folder, "..", "letter.txt"), join(folder, "data.parquet")]
    for (const file of strangers) writeFileSync(file, "theirs")
    const path = join(metadata, "v11.metadata.json")
    const table = JSON.parse(readFileSync(path, "utf8")) as { "metadata-log": ReadonlyArray<object> }
    const named = [`${folder}/../letter.txt`, `${folder}/data.parquet`].map((file) => ({
      "metadata-file": file,
      "timestamp-ms": 1
    }))
    writeFileSync(path, JSON.stringify({ ...table, "metadata-log": [...named, ...table["metadata-log"]] }))
    yield* commit(11)
    assert.deepStrictEqual(strangers.map(existsSync), [true, true])
  }
)

testIn(NodeServices.layer)(
  "a table whose version hint is gone, torn or wrong is not begun anew, and the error says what to do",
  function* () {
    const { find, metadata } = yield* committedTable(13)
    const hint = join(metadata, "version-hint.text")
    const before = versionsIn(metadata)
    for (const text of [null, "", "v14", "-1", "99"]) {
      if (text === null) rmSync(hint)
      else writeFileSync(hint, text)
      const refused = yield* Effect.flip(find)
      assert.match(refused.message, /version-hint\.text\. Write the largest N /)
      assert.deepStrictEqual(versionsIn(metadata), before)
    }
    writeFileSync(hint, "14\n")
    assert.strictEqual((yield* find)?.metadata["current-snapshot-id"], 13)
  }
)
