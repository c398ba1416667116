import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { duckLakeTables } from "../../src/warehouse/formats/ducklake/duckLakeTables.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { gameId } from "../store/lake/invented.ts"
import { fileRows, type Row } from "../store/lake/tableRows.ts"
import { asked, changed, filesOf, rowsOf } from "./duckLakeReader.ts"
import { asUsual, leftAlone, didTo, dropRows, exportTo } from "./Dropped.ts"
import { exportAsBefore, today } from "./exportAsBefore.ts"
import { dayOf, FourNights, inCopy, nightId } from "./FourNights.ts"

const few = { tables: ["products", "source_prices", "nights", "refusals"] }
const fromDay2 = { span: { since: dayOf(2), until: null, backfill: false } }
const texts = (rows: ReadonlyArray<Row>) => rows.map((row) => JSON.stringify(row)).sort()

const snapshotsIn = (folder: string) =>
  asked(
    folder,
    "select snapshot_id as id, commit_message as said from ducklake_snapshot_changes where author = 'Cardlake' order by id"
  )

layer(FourNights.layer, { excludeTestServices: true })("an export as a DuckLake", (it) => {
  it.effect(
    "has the rows of the plain drop, one snapshot a night for all tables, and writes nothing a second time",
    () =>
      inCopy(
        Effect.fnUntraced(function* (folder) {
          yield* exportTo(folder, { format: "ducklake", ...few })
          const { drop } = yield* FourNights
          for (const table of few.tables) {
            const found = filesOf(folder, table).length === 0 ? [] : yield* fileRows(rowsOf(folder, table))
            assert.deepStrictEqual(texts(found), texts(yield* fileRows(dropRows(drop, table))), table)
          }
          assert.deepStrictEqual(
            snapshotsIn(folder),
            [1, 2, 3, 4].map((place) => ({ id: place, said: `${gameId}, ${dayOf(place)}` }))
          )
          for (const place of [1, 2, 3, 4]) {
            const [seen] = yield* fileRows(
              `select count(distinct snapshot_id)::int as nights, max(snapshot_id) as last ${rowsOf(folder, "products", place)}`
            )
            assert.deepStrictEqual(seen, { nights: place, last: nightId(place) })
          }
          const catalogue = readFileSync(join(folder, "ducklake.sqlite"))
          const files = () =>
            globSync("*/game_id=*/**/*.parquet", { cwd: folder }).map((path) => statSync(join(folder, path)).mtimeMs)
          const before = files()
          yield* exportTo(folder, few)
          assert.deepStrictEqual(files(), before)
          assert.isTrue(readFileSync(join(folder, "ducklake.sqlite")).equals(catalogue))
        })
      )
  )

  it.effect("identifies columns by the ids in the files, and has the exact bounds of each", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "ducklake", ...few })
        const [path = ""] = filesOf(folder, "source_prices")
        const inFile = yield* fileRows(
          `select field_id::int as id, name from parquet_schema(${sqlText(path)}) where name <> 'duckdb_schema' order by id`
        )
        const ofTable = "table_id = (select table_id from ducklake_table where table_name = 'source_prices')"
        const known = asked(
          folder,
          `select column_id as id, column_name as name from ducklake_column where ${ofTable} order by id`
        )
        assert.deepStrictEqual(known, inFile)
        const [told] = asked(
          folder,
          `select group_concat(column_name || ' ' || min_value || ' ' || max_value || ' ' || null_count, '; ') as bounds
           from ducklake_file_column_stats s join ducklake_column c on c.table_id = s.table_id and c.column_id = s.column_id
           where s.data_file_id = (select min(data_file_id) from ducklake_data_file where ${ofTable})
             and column_name in ('read_at', 'product_id', 'low', 'is_listed', 'snapshot_date') `
        )
        assert.deepStrictEqual(String(told?.["bounds"]).split("; "), [
          `snapshot_date ${dayOf(1)} ${dayOf(1)} 0`,
          `read_at ${dayOf(1)} 03:00:00.000000+00 ${dayOf(1)} 03:00:00.000000+00 0`,
          "product_id 1 2 0",
          "low 10.2500 10.2500 0",
          "is_listed 1 1 0"
        ])
        // Without these, DuckDB takes the bounds of inserted rows for those of the whole table.
        const ofAll = asked(
          folder,
          `select column_name as name, min_value as least, max_value as greatest, contains_null as nulls
           from ducklake_table_column_stats s join ducklake_column c using (table_id, column_id)
           where ${ofTable} and column_name in ('low', 'mid', 'product_id', 'snapshot_date') order by column_id`
        )
        assert.deepStrictEqual(ofAll, [
          { name: "snapshot_date", least: dayOf(1), greatest: dayOf(4), nulls: 0 },
          { name: "product_id", least: "1", greatest: "5", nulls: 0 },
          { name: "low", least: "10.2500", greatest: "13.2500", nulls: 0 },
          { name: "mid", least: null, greatest: null, nulls: 1 }
        ])
        const [size] = asked(
          folder,
          `select file_size_bytes as bytes, footer_size as footer from ducklake_data_file where ${ofTable}`
        )
        const content = readFileSync(path)
        assert.deepStrictEqual(size, { bytes: content.length, footer: content.readUInt32LE(content.length - 8) })
      })
    )
  )

  it.effect("ends the files that a rollback took back, and every earlier snapshot can still be read", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "ducklake", ...few })
        const then = texts(yield* fileRows(rowsOf(folder, "source_prices")))
        yield* runRollback({ gameId, wanted: nightId(2), why: null })
        yield* exportTo(folder, { ...asUsual, ...few })
        const [seen] = yield* fileRows(
          `select max(snapshot_id) as last, count(*)::int as n ${rowsOf(folder, "source_prices")}`
        )
        assert.deepStrictEqual(seen, { last: nightId(2), n: 5 })
        assert.deepStrictEqual(texts(yield* fileRows(rowsOf(folder, "source_prices", 4))), then)
        assert.deepStrictEqual(
          yield* fileRows(`select snapshot_id as night, counts ${rowsOf(folder, "nights")} order by night`),
          [1, 2, 3, 4].map((place) => ({ night: nightId(place), counts: place < 3 })) as ReadonlyArray<Row>
        )
        assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
        yield* runRollback({ gameId, wanted: nightId(4), why: null })
        yield* exportTo(folder, { ...asUsual, ...few })
        assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
        const [present] = yield* fileRows(
          `select count(distinct snapshot_id)::int as nights ${rowsOf(folder, "source_prices")}`
        )
        assert.deepStrictEqual(present, { nights: 3 })
        const [stats] = asked(
          folder,
          "select record_count as n from ducklake_table_stats join ducklake_table using (table_id) where table_name = 'source_prices'"
        )
        assert.deepStrictEqual(stats, { n: 10 })
      })
    )
  )

  it.effect("says what is damaged, gone or deleted by somebody else, and mends it; a folder may be moved", () =>
    inCopy(
      Effect.fnUntraced(function* (parent) {
        const first = join(parent, "first")
        const folder = join(parent, "moved")
        yield* exportTo(first, { format: "ducklake", ...few })
        renameSync(first, folder)
        yield* exportTo(folder, few)
        const rows = texts(yield* fileRows(rowsOf(folder, "products")))
        const [damaged = "", gone = ""] = filesOf(folder, "products")
        assert.isTrue(damaged.startsWith(folder))
        const content = readFileSync(damaged)
        content[20] = 1 - (content[20] ?? 0)
        writeFileSync(damaged, content)
        rmSync(gone)
        const lastPrices =
          "(select max(data_file_id) from ducklake_data_file join ducklake_table using (table_id) where table_name = 'source_prices')"
        changed(
          folder,
          `insert into ducklake_snapshot select 5, snapshot_time, schema_version, next_catalog_id, next_file_id from ducklake_snapshot where snapshot_id = 4;
           insert into ducklake_snapshot_changes (snapshot_id, changes_made) values (5, 'deleted_from_table:1');
           update ducklake_data_file set end_snapshot = 5 where data_file_id = ${lastPrices};
           insert into ducklake_delete_file (delete_file_id, table_id, begin_snapshot, data_file_id)
           select 1, table_id, 5, data_file_id from ducklake_data_file where path like '%${dayOf(3)}%'
             and table_id = (select table_id from ducklake_table where table_name = 'products')`
        )
        const { faults } = yield* verifyDrop(folder)
        assert.deepStrictEqual(faults.map(({ partition, what }) => `${partition}: ${what}`).sort(), [
          `products, game=${gameId}, dt=${dayOf(1)}: its file has a different sha256`,
          `products, game=${gameId}, dt=${dayOf(2)}: its file is gone`,
          `products, game=${gameId}, dt=${dayOf(3)}: another program deleted rows of it`,
          `source_prices, game=${gameId}, dt=${dayOf(4)}: its rows are no longer in the table`
        ])
        assert.deepStrictEqual(didTo(yield* exportTo(folder, { ...asUsual, ...few })), [
          `products ${dayOf(1)} replaced`,
          `products ${dayOf(2)} replaced`,
          `products ${dayOf(3)} replaced`,
          `source_prices ${dayOf(4)} added`
        ])
        assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
        assert.deepStrictEqual(texts(yield* fileRows(rowsOf(folder, "products"))), rows)
      })
    )
  )

  it.effect("grows by columns, and is left alone where another program changed columns, partitions or version", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        const { drop } = yield* FourNights
        yield* exportTo(folder, { format: "ducklake", tables: ["games"], ...fromDay2 })
        yield* exportAsBefore(folder, drop, duckLakeTables)
        yield* exportTo(folder, { tables: ["products"], ...fromDay2 })
        const columns = today?.columns ?? []
        const added = asked(
          folder,
          "select column_id as id, column_name as name from ducklake_column c join ducklake_table t using (table_id) where table_name = 'products' and c.begin_snapshot > t.begin_snapshot order by id"
        )
        assert.deepStrictEqual(
          added,
          columns.slice(-3).map(({ fieldId, name }) => ({ id: fieldId, name }))
        )
        const rows = yield* fileRows(
          `select snapshot_id as night, count(*)::int as n, count("${columns.at(-3)?.name}") > 0 as has
           ${rowsOf(folder, "products")} group by night order by night`
        )
        assert.deepStrictEqual(
          rows,
          [1, 2, 3, 4].map((place) => ({ night: nightId(place), n: place + 1, has: place > 1 }))
        )
        const refusedAfter = Effect.fnUntraced(function* (sql: string) {
          changed(folder, sql)
          writeFileSync(join(folder, `_state/${gameId}.json`), `{"days": {}}`)
          return yield* leftAlone(folder, { tables: ["products"] })
        })
        assert.match(
          yield* refusedAfter("update ducklake_partition_column set transform = 'year' where partition_key_index = 1"),
          /^The DuckLake table products is no longer partitioned by game_id and snapshot_date\. Update Cardlake/
        )
        assert.match(
          yield* refusedAfter("update ducklake_column set column_name = 'title' where column_name = 'name'"),
          /^The DuckLake table products has a column title \(varchar\) that this version of Cardlake does not write\. /
        )
        changed(folder, "update ducklake_metadata set value = '1.1' where key = 'version'")
        assert.match(
          (yield* Effect.flip(exportTo(folder, { tables: ["products"] }))).message,
          /its catalogue has version 1\.1 of DuckLake, and Cardlake writes 1\.0\. Export to an empty destination$/
        )
      })
    )
  )
})
