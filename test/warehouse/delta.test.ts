import { assert } from "@effect/vitest"
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { Effect } from "effect"
import { fileRows, type Row } from "../store/lake/tableRows.ts"
import { commitsIn, liveFiles } from "./deltaReader.ts"
import { exportTo, leftAlone, dayOf, fourNights } from "./FourNights.ts"

const only = { tables: ["products"] }
const firstDay = { since: null, until: dayOf(1), backfill: true }
const logOf = (folder: string) => join(folder, "products/_delta_log")
const commitFile = (folder: string, version: number) => join(logOf(folder), `${String(version).padStart(20, "0")}.json`)

fourNights("a Delta table", (it) => {
  it.home("states the rows, nulls and valid bounds of each file, and the values of its partition", function* (folder) {
    yield* exportTo(folder, { format: "delta", tables: ["source_prices"] })
    const location = join(folder, "source_prices")
    for (const { partitionValues, path, size, stats } of liveFiles(commitsIn(location))) {
      const file = join(location, decodeURIComponent(path))
      assert.strictEqual(statSync(file).size, size)
      const [known] = yield* fileRows(
        `select count(*)::int as n, count(*) - count(mid) as nulls, any_value(game_id) as game, any_value(snapshot_date)::varchar as dt,
             min(low)::double as low, max(low)::double as high, min(read_at) as first, max(read_at) as last, max(product_id)::int as id
             from ${sqlText(file)}`
      )
      assert.deepStrictEqual(partitionValues, { game_id: known?.["game"], snapshot_date: known?.["dt"] } as object)
      const statistics = JSON.parse(stats) as Readonly<Record<"minValues" | "maxValues" | "nullCount", Row>> & {
        readonly numRecords: number
      }
      assert.strictEqual(statistics.numRecords, known?.["n"])
      assert.strictEqual(Number(statistics.nullCount["mid"]), Number(known?.["nulls"]))
      const { low, product_id: id, read_at: last } = statistics.maxValues
      assert.deepStrictEqual([statistics.minValues["low"], low, id], [known?.["low"], known?.["high"], known?.["id"]])
      assert.isAtMost(Date.parse(String(statistics.minValues["read_at"])), Date.parse(String(known?.["first"])))
      assert.isAtLeast(Date.parse(String(last)), Date.parse(String(known?.["last"])))
    }
  })

  it.home("whose columns, partitions or protocol another program changed is left alone", function* (folder) {
    yield* exportTo(folder, { format: "delta", ...only, span: firstDay })
    const first = readFileSync(commitFile(folder, 0), "utf8")
    const refusedWith = Effect.fnUntraced(function* (from: RegExp | string, to: string) {
      const text = first.replace(from, to)
      assert.notStrictEqual(text, first)
      writeFileSync(commitFile(folder, 0), text)
      return yield* leftAlone(folder, only)
    })
    assert.match(
      yield* refusedWith(/fields\\":\[/, `fields\\":[{\\"name\\":\\"note\\",\\"type\\":\\"string\\"},`),
      /^The Delta table products has a column note \(string\) that this version of Cardlake does not write\. Update/
    )
    assert.match(
      yield* refusedWith(`"game_id","snapshot_date"]`, `"snapshot_date"]`),
      /is partitioned by snapshot_date instead of game_id, snapshot_date\. /
    )
    assert.match(
      yield* refusedWith(`"minWriterVersion":2`, `"minWriterVersion":7`),
      /has a protocol \(reader 1, writer 7\) that Cardlake does not support\. Another program raised it\. /
    )
    assert.match(yield* refusedWith(/.{40}\n$/, ""), /has a commit that Cardlake cannot read: .*000\.json\. /)
    assert.lengthOf(globSync("*.json", { cwd: logOf(folder) }), 2)
  })

  it.home(
    "of many commits gets a checkpoint, which replaces them when another program removes them",
    function* (folder) {
      yield* exportTo(folder, { format: "delta", ...only, span: firstDay })
      // Another program works with the table: commits that bring no rows.
      for (let version = 2; version <= 11; version++) {
        const line = { commitInfo: { operation: "OPTIMIZE", operationParameters: { predicate: "[]" } } }
        const transaction = { txn: { appId: "stream", version, lastUpdated: 1_800_000_000_000 } }
        writeFileSync(commitFile(folder, version), `${JSON.stringify(line)}\n${JSON.stringify(transaction)}\n`)
      }
      yield* exportTo(folder, { ...only, span: { since: null, until: dayOf(2), backfill: true } })
      const checkpoint = join(logOf(folder), `${String(11).padStart(20, "0")}.checkpoint.parquet`)
      assert.deepStrictEqual(JSON.parse(readFileSync(join(logOf(folder), "_last_checkpoint"), "utf8")), {
        version: 11,
        size: 4
      })
      const rows = yield* fileRows(
        `select protocol.minWriterVersion as writer, len("metaData".partitionColumns)::int as partitions,
           "add".partitionValues['snapshot_date'] as dt, txn.version::int as stream from read_parquet(${sqlText(checkpoint)})`
      )
      const nothing = { writer: null, partitions: null, dt: null, stream: null }
      assert.deepStrictEqual(rows, [
        { ...nothing, writer: 2 },
        { ...nothing, partitions: 2 },
        { ...nothing, stream: 11 },
        { ...nothing, dt: dayOf(1) }
      ])
      for (let version = 0; version <= 11; version++) rmSync(commitFile(folder, version))
      yield* exportTo(folder, only)
      assert.deepStrictEqual(globSync("*.json", { cwd: logOf(folder) }).length, 3)
      const verified = yield* verifyDrop(folder)
      assert.deepStrictEqual([verified.partitions, verified.faults], [8, []])
      rmSync(checkpoint)
      const [lost] = (yield* verifyDrop(folder)).faults
      assert.match(
        lost?.what ?? "",
        /^The Delta table products has no .*0011\.checkpoint\.parquet\. Write a checkpoint/
      )
    }
  )
})
