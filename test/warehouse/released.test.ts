import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { SnapshotId } from "../../src/feed/contract/Ids.ts"
import type { ExportedGame } from "../../src/warehouse/drop/exportGame.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { writeHeldBack } from "../../src/store/home/HeldBack.ts"
import { runRelease } from "../../src/night/run/runRelease.ts"
import { gameId } from "../store/lake/invented.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { commitsIn, liveFiles as deltaFiles } from "./deltaReader.ts"
import { dropRows, exportTo, temporaryFolder } from "./Dropped.ts"
import { asked, rowsOf as duckLakeRows } from "./duckLakeReader.ts"
import { dayOf, FourNights, nightId } from "./FourNights.ts"
import { liveFiles, metadataOf } from "./icebergReader.ts"
import { corrected, laterSnapshot, replayLastNight } from "./laterSnapshot.ts"
import { tried } from "../tried.ts"

const held = SnapshotId.make("20260503T120000000Z-0000")
const tables = 21

/** How many partitions were added, replaced, emptied or left, by day. */
const didOf = ({ games }: { readonly games: ReadonlyArray<ExportedGame> }) => {
  const counts: Record<string, number> = {}
  for (const { did, dt } of games.flatMap(({ partitions }) => partitions)) {
    counts[`${dt} ${did}`] = (counts[`${dt} ${did}`] ?? 0) + 1
  }
  return counts
}

const few = { tables: ["products", "nights"] }
const rowsIn = (files: ReadonlyArray<string>) =>
  `from read_parquet([${files.map(sqlText).join(", ")}], hive_partitioning = false)`

/** By format: SQL of a table's rows; how many files each commit of `products` removed and added. */
const formats = {
  delta: {
    rows: (folder: string, table: string) =>
      rowsIn(
        deltaFiles(commitsIn(join(folder, table))).map(({ path }) => join(folder, table, decodeURIComponent(path)))
      ),
    changes: (folder: string) =>
      commitsIn(join(folder, "products"))
        .slice(1)
        .map((lines) => [lines.filter(({ remove }) => remove).length, lines.filter(({ add }) => add).length])
  },
  iceberg: {
    rows: (folder: string, table: string) =>
      rowsIn(liveFiles(metadataOf(join(folder, table))).map(({ file_path: path }) => path)),
    changes: (folder: string) =>
      metadataOf(join(folder, "products")).snapshots.map(({ summary }) =>
        ["deleted-data-files", "added-data-files"].map((name) => Number(summary[name] ?? 0))
      )
  },
  ducklake: {
    rows: duckLakeRows,
    changes: (folder: string) =>
      asked(
        folder,
        `select s.snapshot_id, sum(s.snapshot_id = f.end_snapshot) as removed, sum(s.snapshot_id = f.begin_snapshot) as added
         from ducklake_data_file f join ducklake_table t using (table_id)
         join ducklake_snapshot s on s.snapshot_id in (f.begin_snapshot, f.end_snapshot)
         where t.table_name = 'products' group by s.snapshot_id order by s.snapshot_id`
      ).map(({ added, removed }) => [Number(removed ?? 0), Number(added)])
  }
} as const
const firstNights = [1, 2, 3, 4].map(() => [0, 1])

layer(FourNights.layer, { excludeTestServices: true })("an export", (it) => {
  it.effect("replaces the days that a replay or a release changed, and no other, in every format", () =>
    Effect.gen(function* () {
      const { drop } = yield* FourNights
      const services = yield* FourNights.copy
      const folder = yield* temporaryFolder
      cpSync(drop, folder, { recursive: true })
      const exporting = Effect.map(Effect.provideContext(exportTo(folder), services), didOf)
      const productsOf = (rows: (table: string) => string) =>
        Effect.provideContext(
          fileRows(`select n.snapshot_id as snapshot, counts, count(product_id)::int as products
            from (${rows("nights")}) n left join (${rows("products")}) p using (snapshot_id)
            where n.snapshot_date >= '${dayOf(3)}' group by all order by 1`),
          services
        )
      const products = Effect.suspend(() => productsOf((table) => dropRows(folder, table)))
      const made: Array<readonly [format: keyof typeof formats, folder: string]> = []
      for (const format of tried(["delta", "iceberg", "ducklake"] as const, (one) => one === "iceberg")) {
        const tables = yield* temporaryFolder
        yield* Effect.provideContext(exportTo(tables, { format, ...few }), services)
        made.push([format, tables])
      }
      /** Tables of every format have the plain drop's rows, and a commit for each changed day. */
      const sameInTables = Effect.fnUntraced(function* (changes: ReadonlyArray<ReadonlyArray<number>>) {
        for (const [format, tables] of made) {
          yield* Effect.provideContext(exportTo(tables, few), services)
          const { changes: told, rows } = formats[format]
          assert.deepStrictEqual(yield* productsOf((table) => rows(tables, table)), yield* products, format)
          assert.deepStrictEqual(told(tables), [...firstNights, ...changes], format)
          assert.deepStrictEqual((yield* Effect.provideContext(verifyDrop(tables), services)).faults, [], format)
        }
      })

      yield* Effect.provideContext(replayLastNight, services)
      assert.deepStrictEqual(yield* exporting, { [`${dayOf(4)} replaced`]: tables })
      assert.deepStrictEqual(yield* products, [
        { snapshot: nightId(3), counts: true, products: 4 },
        { snapshot: nightId(4), counts: true, products: 5 },
        { snapshot: corrected, counts: true, products: 6 }
      ])
      yield* sameInTables([[1, 1]])

      const released = Effect.gen(function* () {
        const { folder: kept } = yield* laterSnapshot(held, 3, `${dayOf(3)}T12:00:00.000Z`)
        yield* writeHeldBack(kept, ["it looked odd"])
        yield* runRelease({ gameId, wanted: held, why: null, takesBack: true })
      })
      yield* Effect.provideContext(released, services)
      assert.deepStrictEqual(yield* exporting, {
        [`${dayOf(3)} replaced`]: tables,
        // Table `nights` is written before all others, and found unchanged in its turn.
        [`${dayOf(4)} replaced`]: 1,
        [`${dayOf(4)} unchanged`]: 1,
        [`${dayOf(4)} emptied`]: tables - 1
      })
      assert.deepStrictEqual(yield* products, [
        { snapshot: nightId(3), counts: true, products: 4 },
        { snapshot: held, counts: true, products: 5 },
        { snapshot: nightId(4), counts: false, products: 0 },
        { snapshot: corrected, counts: false, products: 0 }
      ])
      yield* sameInTables([
        [1, 1],
        [1, 1],
        [1, 0]
      ])
      assert.deepStrictEqual((yield* Effect.provideContext(verifyDrop(folder), services)).faults, [])
    })
  )
})
