import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync, statSync, writeFileSync } from "node:fs"
import { compactDrop } from "../../src/warehouse/compactDrop.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { gameId } from "../store/lake/invented.ts"
import { cardlake } from "../pipelines/cli.ts"
import { asUsual, contractsIn, exportTo } from "./FourNights.ts"
import { days, idOfDay, months } from "./MonthsOfNights.ts"
import { bucket, startStore } from "./Store.ts"
import { tried } from "../tried.ts"
import { rowsOfFiles, type TablesFound, tablesFound } from "./tablesFound.ts"

const few = { tables: ["products", "nights"] }
const more = { tables: [...few.tables, "readings"] }
const [, , thirdDay] = days
/** The days of January and February; March is open. */
const past = 4

months("compacting", (it) => {
  const everyRowBy = ({ filesIn }: TablesFound) =>
    Effect.fnUntraced(function* (folder: string) {
      const found = contractsIn(folder).map(({ table }) =>
        Effect.map(rowsOfFiles(filesIn(folder, table)), (rows) => [table, rows] as const)
      )
      return Object.fromEntries(yield* Effect.all(found))
    })

  for (const found of tried(Object.values(tablesFound), ({ format }) => format === "iceberg")) {
    const { filesIn, format, versionsIn } = found
    const everyRow = everyRowBy(found)
    it.copy(
      `joins the past months of ${format} tables, changes no row, and does nothing a second time`,
      function* (folder) {
        yield* exportTo(folder, { format, ...more })
        const before = yield* everyRow(folder)
        const earlier = filesIn(folder, "products")
        assert.lengthOf(earlier, days.length)
        const { leftAlone, tables } = yield* compactDrop(folder)
        assert.deepStrictEqual(leftAlone, [])
        const products = tables.find(({ table }) => table === "products")
        assert.deepInclude(products, { joined: past, files: { before: days.length, after: days.length - past + 1 } })
        assert.lengthOf(filesIn(folder, "products"), days.length - past + 1)
        assert.deepStrictEqual(yield* everyRow(folder), before)
        const versions = versionsIn(folder, "products")
        assert.deepStrictEqual(versions.at(-2)?.toSorted(), earlier.toSorted())
        const { faults } = yield* verifyDrop(folder)
        assert.deepStrictEqual(faults, [])

        const again = yield* compactDrop(folder)
        assert.deepStrictEqual(
          again.tables.filter(({ joined }) => joined > 0),
          []
        )
        const exported = yield* exportTo(folder, more)
        assert.deepStrictEqual(
          exported.games.flatMap(({ partitions }) => partitions),
          []
        )
        assert.lengthOf(versionsIn(folder, "products"), versions.length)
      }
    )
  }

  for (const found of tried(Object.values(tablesFound), ({ format }) => format === "iceberg")) {
    const { filesIn, format } = found
    const everyRow = everyRowBy(found)
    it.copy.full(
      `${format}: the days of a joined file that is damaged or missing are written again`,
      function* (folder) {
        yield* exportTo(folder, { format, ...few })
        const before = yield* everyRow(folder)
        yield* compactDrop(folder)
        const joinedOf = (table: string) => {
          const files = filesIn(folder, table).filter((path) => !/(dt|snapshot_date)=/.test(path))
          assert.lengthOf(files, 1)
          return files[0] ?? ""
        }
        rmSync(joinedOf("products"))
        writeFileSync(joinedOf("nights"), Buffer.alloc(statSync(joinedOf("nights")).size))
        const { faults } = yield* verifyDrop(folder)
        const sentences = faults.map(({ partition, what }) => `${partition}: ${what}`).join("\n")
        assert.match(sentences, /products, game=hollowmere: its file is missing/)
        assert.match(sentences, /nights, game=hollowmere: its file has a different sha256/)
        const refused = yield* compactDrop(folder)
        assert.deepStrictEqual(refused.leftAlone, [])
        yield* exportTo(folder, few)
        assert.deepStrictEqual(yield* everyRow(folder), before)
        assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
      }
    )
  }

  it.copy.full("joins tables in a bucket, and takes a day out of a joined file there", function* () {
    yield* startStore
    const place = `s3://${bucket}/tables`
    yield* exportTo(place, { format: "delta", ...few })
    const { tables } = yield* compactDrop(place)
    assert.deepInclude(
      tables.find(({ table }) => table === "nights"),
      { joined: past, rows: past }
    )
    yield* runRollback({ gameId, wanted: idOfDay(thirdDay), why: null })
    yield* exportTo(place, { ...asUsual, ...few })
    const { faults, partitions } = yield* verifyDrop(place)
    assert.deepStrictEqual(faults, [])
    // Three days of products are left, and every night in table `nights`.
    assert.strictEqual(partitions, 3 + days.length)
  })

  it.copy("tells what it joined, of which nothing is joined again", function* (folder) {
    yield* exportTo(folder, { format: "iceberg", tables: ["nights"] })
    const run = Effect.promise(() => cardlake(["export", "--to", folder, "--compact"]))
    const { code, stderr, stdout } = yield* run
    assert.strictEqual(code, 0, stderr)
    assert.match(
      stdout,
      /^table +files joined +rows in them +files before +after +size before +after\n.*\nnights +4 +4 +6 +3 .*\n\n6 files are now 3, [\d.]+ kB are [\d.]+ kB\n/
    )
    assert.match((yield* run).stdout, /^Nothing was written: no past month has small files to join\n/)
  })

  it.copy("refuses plain files, with the next step", function* (folder) {
    yield* exportTo(folder, { tables: ["games"] })
    const refused = yield* Effect.flip(compactDrop(folder))
    assert.match(refused.message, /has plain files, one per day.*Compact an export with --format iceberg/)
  })
})
