import { assert } from "@effect/vitest"
import { globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { loadScript } from "../../src/warehouse/engines/loadScript.ts"
import { Effect } from "effect"
import { gameId } from "../store/lake/invented.ts"
import { fileRows, type Row } from "../store/lake/tableRows.ts"
import { asUsual, didTo, exportTo, filesOf, dayOf, FourNights, fourNights, nightId } from "./FourNights.ts"
import { catalogueRows, changed } from "./duckLakeReader.ts"
import { today } from "./exportAsBefore.ts"
import { fromDay2 } from "./exportEveryChange.ts"
import { tableFormats } from "./tableFormats.ts"
import { rowsOfFiles } from "./tablesFound.ts"
import { faultsOf } from "./damagedDrop.ts"
import { tried } from "../tried.ts"

const few = { tables: ["products", "source_prices"] }
const every = { tables: [...few.tables, "nights", "refusals"] }
const prices = { tables: ["source_prices", "nights"] }
const places = [1, 2, 3, 4]

/** Every file with its time: where both are the same, nothing was written again. A catalogue is opened, so its bytes count. */
const everyFile = (folder: string) =>
  globSync("**/*", { cwd: folder, exclude: ["_staging/**"] })
    .filter((path) => path !== "_staging")
    .map(
      (path) =>
        `${path} ${path.endsWith(".sqlite") ? readFileSync(join(folder, path), "base64") : statSync(join(folder, path)).mtimeMs}`
    )
    .sort()

const from = (files: ReadonlyArray<string>) =>
  `from read_parquet([${files.map(sqlText).join(", ")}], union_by_name = true, hive_partitioning = false)`
const nightsIn = (files: ReadonlyArray<string>) =>
  Effect.map(
    fileRows(`select count(distinct snapshot_id)::int as nights, max(snapshot_id) as last ${from(files)}`),
    ([row]) => row
  )

for (const { assertGrown, commitsOf, exportBefore, filesIn, format, note, takeBack, versionsIn } of tried(
  tableFormats,
  ({ format }) => format === "iceberg"
)) {
  /** A DuckLake has one snapshot for all tables. */
  const isPerTable = format !== "ducklake"
  fourNights(`an export as ${format} tables`, (it) => {
    it.home(
      "has the rows of the plain drop, one version a night, and writes nothing a second time",
      function* (folder) {
        yield* exportTo(folder, { format, ...every })
        const { drop } = yield* FourNights
        for (const table of every.tables)
          assert.deepStrictEqual(
            yield* rowsOfFiles(filesIn(folder, table)),
            yield* rowsOfFiles(filesOf(drop, table)),
            table
          )
        assert.deepStrictEqual(
          commitsOf(folder, "products"),
          places.map((place) => note("append", dayOf(place)))
        )
        for (const [index, files] of versionsIn(folder, "products").slice(-4).entries())
          assert.deepStrictEqual(yield* nightsIn(files), { nights: index + 1, last: nightId(index + 1) })
        const before = everyFile(folder)
        yield* exportTo(folder, every)
        assert.deepStrictEqual(everyFile(folder), before)
      }
    )

    it.copy("removes what a rollback took back, and every earlier version can still be read", function* (folder) {
      yield* exportTo(folder, { format, ...prices })
      const versions = versionsIn(folder, "source_prices")
      const then = yield* rowsOfFiles(versions.at(-1) ?? [])
      yield* runRollback({ gameId, wanted: nightId(2), why: null })
      yield* exportTo(folder, { ...asUsual, ...prices })
      const [deleted, replaced] = (["delete", "overwrite"] as const).map((did) =>
        [3, 4].map((place) => note(did, dayOf(place)))
      )
      if (isPerTable) assert.deepStrictEqual(commitsOf(folder, "source_prices").slice(4), deleted)
      if (isPerTable) assert.deepStrictEqual(commitsOf(folder, "nights").slice(4), replaced)
      assert.lengthOf(yield* rowsOfFiles(filesIn(folder, "source_prices")), 5)
      assert.deepStrictEqual(yield* nightsIn(filesIn(folder, "source_prices")), { nights: 2, last: nightId(2) })
      assert.deepStrictEqual(yield* rowsOfFiles(versionsIn(folder, "source_prices")[versions.length - 1] ?? []), then)
      assert.deepStrictEqual(
        yield* fileRows(`select snapshot_id as night, counts ${from(filesIn(folder, "nights"))} order by night`),
        places.map((place) => ({ night: nightId(place), counts: place < 3 })) as ReadonlyArray<Row>
      )
      assert.deepStrictEqual(yield* faultsOf(folder), [])

      yield* runRollback({ gameId, wanted: nightId(4), why: null })
      yield* exportTo(folder, { ...asUsual, ...prices })
      assert.deepStrictEqual(yield* faultsOf(folder), [])
      assert.deepStrictEqual(yield* nightsIn(filesIn(folder, "source_prices")), { nights: 3, last: nightId(4) })
      const counted =
        "select record_count as n from ducklake_table_stats join ducklake_table using (table_id) where table_name = 'source_prices'"
      if (format === "ducklake") assert.deepStrictEqual(catalogueRows(folder, counted), [{ n: 10 }])
    })

    it.home("says what is damaged, gone or taken back by somebody else, and mends it", function* (parent) {
      const first = join(parent, "first")
      yield* exportTo(first, { format, ...few })
      // Iceberg tables name their files by the full path.
      const folder = format === "iceberg" ? first : join(parent, "moved")
      if (folder !== first) renameSync(first, folder)
      yield* exportTo(folder, few)
      const rows = yield* rowsOfFiles(filesIn(folder, "products"))
      const [damaged = "", missing = ""] = [1, 2].map((place) =>
        filesIn(folder, "products").find((path) => path.includes(dayOf(place)))
      )
      assert.isTrue(damaged.startsWith(folder))
      const content = readFileSync(damaged)
      content[20] = 1 - (content[20] ?? 0)
      writeFileSync(damaged, content)
      rmSync(missing)
      takeBack(folder)
      if (format === "ducklake")
        changed(
          folder,
          `insert into ducklake_delete_file (delete_file_id, table_id, begin_snapshot, data_file_id)
           select 1, table_id, 5, data_file_id from ducklake_data_file where path like '%${dayOf(3)}%'
             and table_id = (select table_id from ducklake_table where table_name = 'products')`
        )
      const faults: ReadonlyArray<readonly [partition: string, what: string, did: string]> = [
        [
          `products, game=${gameId}, dt=${dayOf(1)}`,
          "its file has a different sha256",
          `products ${dayOf(1)} replaced`
        ],
        [`products, game=${gameId}, dt=${dayOf(2)}`, "its file is missing", `products ${dayOf(2)} replaced`],
        ...(format === "ducklake"
          ? [
              [
                `products, game=${gameId}, dt=${dayOf(3)}`,
                "another program deleted rows of it",
                `products ${dayOf(3)} replaced`
              ] as const
            ]
          : []),
        [
          `source_prices, game=${gameId}, dt=${dayOf(4)}`,
          "its rows are no longer in the table",
          `source_prices ${dayOf(4)} added`
        ]
      ]
      assert.deepStrictEqual(
        (yield* faultsOf(folder)).toSorted(),
        faults.map(([partition, what]) => `${partition}: ${what}`)
      )
      assert.deepStrictEqual(
        didTo(yield* exportTo(folder, { ...asUsual, ...few })),
        faults.map(([, , did]) => did)
      )
      assert.deepStrictEqual(yield* faultsOf(folder), [])
      assert.deepStrictEqual(yield* rowsOfFiles(filesIn(folder, "products")), rows)
      assert.deepStrictEqual(yield* nightsIn(filesIn(folder, "source_prices")), { nights: 4, last: nightId(4) })
    })

    it.home(
      "keeps to one format in a destination, and has no load script for what engines read directly",
      function* (folder) {
        yield* exportTo(folder, { format, tables: ["games"] })
        const refused = yield* Effect.flip(exportTo(folder, { format: "files" }))
        assert.include(
          refused.message,
          `was created with --format ${format}, which cannot change. Export to another destination`
        )
        const needless = yield* Effect.flip(loadScript(folder, "duckdb", null))
        assert.include(needless.message, `has ${format} tables, which engines read without a load script`)
      }
    )

    it.home("grows by columns under ids of their own; files that lack them stay as they are", function* (folder) {
      const { drop } = yield* FourNights
      yield* exportTo(folder, { format, tables: ["games"], ...fromDay2 })
      yield* exportBefore(folder, drop)
      const before = filesIn(folder, "products")
      yield* exportTo(folder, { tables: ["products"], ...fromDay2 })
      assertGrown(folder)
      assert.includeMembers([...filesIn(folder, "products")], [...before])
      const last = today?.columns.at(-3)?.name
      assert.deepStrictEqual(
        yield* fileRows(
          `select snapshot_id as night, count(*)::int as n, count("${last}") > 0 as has
           ${from(filesIn(folder, "products"))} group by night order by night`
        ),
        places.map((place) => ({ night: nightId(place), n: place + 1, has: place > 1 }))
      )
    })

    // Nothing but a lock of SQLite decides between two exports into a DuckLake.
    if (!isPerTable) return
    it.home(
      "takes one of two commits at the same moment and loses nothing; an export whose commit lost says so",
      function* (folder) {
        const only = { tables: ["products"] }
        yield* exportTo(folder, { format, tables: ["games"], span: { since: null, until: dayOf(1), backfill: true } })
        const run = Effect.result(exportTo(folder, only))
        for (const result of yield* Effect.all([run, run], { concurrency: 2 }))
          if (result._tag === "Failure")
            assert.match(result.failure.message, /Another program committed to the \w+ table .* Run the command again$/)
        yield* exportTo(folder, only)
        const added = places.map((place) => note("append", dayOf(place)))
        assert.deepStrictEqual(commitsOf(folder, "products"), added)
        assert.lengthOf(filesIn(folder, "products"), 4)
      }
    )
  })
}

fourNights("a destination of plain files", (it) => {
  it("keeps to them", function* () {
    const { drop, services } = yield* FourNights
    const refused = yield* Effect.flip(Effect.provideContext(exportTo(drop, { format: "iceberg" }), services))
    assert.include(
      refused.message,
      "was created with --format files, which cannot change. Export to another destination"
    )
  })
})
