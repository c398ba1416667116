import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { ExportedGame } from "../../src/warehouse/drop/exportGame.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { dropRows, exportTo, temporaryFolder, dayOf, nightId, fourNights } from "./FourNights.ts"
import { corrected, held, releaseLate, replayLastNight } from "./laterSnapshot.ts"
import { type TablesFound, tablesFound } from "./tablesFound.ts"
import { tried } from "../tried.ts"

const tables = 2

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

/** How many files each commit of `products` removed and added. */
const changesIn = (versions: ReadonlyArray<ReadonlyArray<string>>) =>
  versions.flatMap((files, at) => {
    const earlier = versions[at - 1] ?? []
    const [removed, added] = [
      earlier.filter((file) => !files.includes(file)),
      files.filter((file) => !earlier.includes(file))
    ]
    return removed.length + added.length === 0 ? [] : [[removed.length, added.length]]
  })
const firstNights = [1, 2, 3, 4].map(() => [0, 1])

fourNights("an export", (it) => {
  it.copy("replaces the days that a replay or a release changed, and no other, in every format", function* (folder) {
    yield* exportTo(folder, few)
    const exporting = Effect.map(exportTo(folder, few), didOf)
    const productsOf = (rows: (table: string) => string) =>
      fileRows(`select n.snapshot_id as snapshot, counts, count(product_id)::int as products
            from (${rows("nights")}) n left join (${rows("products")}) p using (snapshot_id)
            where n.snapshot_date >= '${dayOf(3)}' group by all order by 1`)
    const products = Effect.suspend(() => productsOf((table) => dropRows(folder, table)))
    const made: Array<readonly [found: TablesFound, folder: string]> = []
    for (const found of tried(Object.values(tablesFound), (one) => one.format === "iceberg")) {
      const tables = yield* temporaryFolder
      yield* exportTo(tables, { format: found.format, ...few })
      made.push([found, tables])
    }
    /** Tables of every format have the plain drop's rows, and a commit for each changed day. */
    const sameInTables = Effect.fnUntraced(function* (changes: ReadonlyArray<ReadonlyArray<number>>) {
      for (const [{ filesIn, format, versionsIn }, tables] of made) {
        yield* exportTo(tables, few)
        assert.deepStrictEqual(yield* productsOf((table) => rowsIn(filesIn(tables, table))), yield* products, format)
        assert.deepStrictEqual(changesIn(versionsIn(tables, "products")), [...firstNights, ...changes], format)
        assert.deepStrictEqual((yield* verifyDrop(tables)).faults, [], format)
      }
    })

    yield* replayLastNight
    assert.deepStrictEqual(yield* exporting, { [`${dayOf(4)} replaced`]: tables })
    assert.deepStrictEqual(yield* products, [
      { snapshot: nightId(3), counts: true, products: 4 },
      { snapshot: nightId(4), counts: true, products: 5 },
      { snapshot: corrected, counts: true, products: 6 }
    ])
    yield* sameInTables([[1, 1]])

    yield* releaseLate
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
    assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
  })
})
