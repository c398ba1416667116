import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileRows } from "../store/lake/tableRows.ts"
import { deltaTables } from "../../src/warehouse/formats/delta/deltaTables.ts"
import { atOnce } from "../../src/warehouse/drop/PlacePartition.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { columnsIn, commitsIn, liveFiles } from "./deltaReader.ts"
import { leftAlone, exportTo, temporaryFolder } from "./Dropped.ts"
import { exportAsBefore, today } from "./exportAsBefore.ts"
import { dayOf, FourNights, nightId } from "./FourNights.ts"

const only = { tables: ["products"] }
const fromDay2 = { span: { since: dayOf(2), until: null, backfill: false } }
const firstDay = { since: null, until: dayOf(1), backfill: true }
const logOf = (folder: string) => join(folder, "products/_delta_log")
const commitFile = (folder: string, version: number) => join(logOf(folder), `${String(version).padStart(20, "0")}.json`)
const daysOf = (folder: string) =>
  commitsIn(join(folder, "products"))
    .slice(1)
    .map((lines) => lines[0]?.commitInfo?.operationParameters["cardlake.dt"])

/** Runs with the four nights' home and an empty folder. */
const inFolder = <A, E, R>(run: (folder: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { services } = yield* FourNights
    return yield* Effect.provideContext(run(yield* temporaryFolder), services)
  })

layer(FourNights.layer, { excludeTestServices: true })("a Delta table", (it) => {
  it.effect("grows by nullable columns at its end; files that lack them stay as they are", () =>
    inFolder(
      Effect.fnUntraced(function* (folder) {
        const { drop } = yield* FourNights
        yield* exportTo(folder, { format: "delta", tables: ["games"], ...fromDay2 })
        yield* exportAsBefore(folder, drop, (to, stage) => Effect.succeed(atOnce(deltaTables(to, stage).place)))
        const location = join(folder, "products")
        const before = columnsIn(commitsIn(location)).map(({ name }) => name)
        yield* exportTo(folder, { ...only, ...fromDay2 })
        const commits = commitsIn(location)
        const after = columnsIn(commits)
        const columns = (today?.columns ?? []).map(({ name }) => name)
        assert.deepStrictEqual([before, after.map(({ name }) => name)], [columns.slice(0, -3), columns])
        assert.isTrue(after.every(({ nullable }) => nullable))
        const files = liveFiles(commits).map(({ path }) => sqlText(join(location, path)))
        const rows = yield* fileRows(
          `select snapshot_id as night, count(*)::int as n, count("${columns.at(-3)}") > 0 as has
           from read_parquet([${files.join(", ")}], union_by_name = true, hive_partitioning = false) group by night order by night`
        )
        assert.deepStrictEqual(
          rows,
          [1, 2, 3, 4].map((place) => ({ night: nightId(place), n: place + 1, has: place > 1 }))
        )
      })
    )
  )

  it.effect("whose columns, partitions or protocol another program changed is left alone", () =>
    inFolder(
      Effect.fnUntraced(function* (folder) {
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
          /has a protocol \(reader 1, writer 7\) that Cardlake does not write\. Another program raised it\. /
        )
        assert.match(yield* refusedWith(/.{40}\n$/, ""), /has a commit that Cardlake cannot read: .*000\.json\. /)
        assert.lengthOf(globSync("*.json", { cwd: logOf(folder) }), 2)
      })
    )
  )

  it.effect("takes one of two commits at the same moment and loses nothing; an export whose commit lost says so", () =>
    inFolder(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "delta", tables: ["games"], span: firstDay })
        const both = yield* Effect.all([Effect.result(exportTo(folder, only)), Effect.result(exportTo(folder, only))], {
          concurrency: 2
        })
        const lost = both.flatMap((result) => (result._tag === "Failure" ? [result.failure.message] : []))
        for (const message of lost) assert.match(message, /Somebody else committed to the Delta table .* Run it again$/)
        yield* exportTo(folder, only)
        assert.deepStrictEqual(daysOf(folder), [1, 2, 3, 4].map(dayOf))
        assert.lengthOf(liveFiles(commitsIn(join(folder, "products"))), 4)
      })
    )
  )

  it.effect("of many commits gets a checkpoint, which replaces them when another program removes them", () =>
    inFolder(
      Effect.fnUntraced(function* (folder) {
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
      })
    )
  )
})
