import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { gameId } from "../store/lake/invented.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { exportTo, leftAlone, dayOf, fourNights } from "./FourNights.ts"
import { catalogueRows, changed, filesOf } from "./duckLakeReader.ts"

fourNights("a DuckLake", (it) => {
  it.home("identifies columns by the ids in the files, and has the exact bounds of each", function* (folder) {
    yield* exportTo(folder, { format: "ducklake", tables: ["source_prices"] })
    const [path = ""] = filesOf(folder, "source_prices")
    const inFile = yield* fileRows(
      `select field_id::int as id, name from parquet_schema(${sqlText(path)}) where name <> 'duckdb_schema' order by id`
    )
    const ofTable = "table_id = (select table_id from ducklake_table where table_name = 'source_prices')"
    const known = catalogueRows(
      folder,
      `select column_id as id, column_name as name from ducklake_column where ${ofTable} order by id`
    )
    assert.deepStrictEqual(known, inFile)
    const [stored] = catalogueRows(
      folder,
      `select group_concat(column_name || ' ' || min_value || ' ' || max_value || ' ' || null_count, '; ') as bounds
           from ducklake_file_column_stats s join ducklake_column c on c.table_id = s.table_id and c.column_id = s.column_id
           where s.data_file_id = (select min(data_file_id) from ducklake_data_file where ${ofTable})
             and column_name in ('read_at', 'product_id', 'low', 'is_listed', 'snapshot_date') `
    )
    assert.deepStrictEqual(String(stored?.["bounds"]).split("; "), [
      `snapshot_date ${dayOf(1)} ${dayOf(1)} 0`,
      `read_at ${dayOf(1)} 03:00:00.000000+00 ${dayOf(1)} 03:00:00.000000+00 0`,
      "product_id 1 2 0",
      "low 10.2500 10.2500 0",
      "is_listed 1 1 0"
    ])
    // Without these, DuckDB takes the bounds of inserted rows for those of the whole table.
    const ofAll = catalogueRows(
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
    const [size] = catalogueRows(
      folder,
      `select file_size_bytes as bytes, footer_size as footer from ducklake_data_file where ${ofTable}`
    )
    const content = readFileSync(path)
    assert.deepStrictEqual(size, { bytes: content.length, footer: content.readUInt32LE(content.length - 8) })
  })

  it.home("is left alone where another program changed columns, partitions or version", function* (folder) {
    yield* exportTo(folder, { format: "ducklake", tables: ["products"] })
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
      /its catalogue has DuckLake version 1\.1, but Cardlake writes version 1\.0\. Export to an empty destination$/
    )
  })
})
