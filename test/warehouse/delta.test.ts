import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { loadScript } from "../../src/warehouse/engines/loadScript.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { gameId } from "../store/lake/invented.ts"
import { fileRows, type Row } from "../store/lake/tableRows.ts"
import { commitsIn, liveFiles } from "./deltaReader.ts"
import { asUsual, didTo, dropRows, exportTo } from "./Dropped.ts"
import { dayOf, FourNights, inCopy, nightId } from "./FourNights.ts"

const few = { tables: ["products", "source_prices", "nights", "refusals"] }
const texts = (rows: ReadonlyArray<Row>) => rows.map((row) => JSON.stringify(row)).sort()

const filesOf = (location: string, version?: number) =>
  liveFiles(commitsIn(location), version).map(({ path }) => join(location, decodeURIComponent(path)))
const rowsOf = (location: string, version?: number): string =>
  `from read_parquet([${filesOf(location, version).map(sqlText).join(", ")}], hive_partitioning = false)`
const nightsIn = (location: string) =>
  commitsIn(location).flatMap((lines) =>
    lines.flatMap(({ commitInfo }) => {
      const dt = commitInfo?.operationParameters["cardlake.dt"]
      return dt === undefined ? [] : [`${commitInfo?.operation} ${commitInfo?.operationParameters["mode"]} ${dt}`]
    })
  )

/** Every file with its time: where both are the same, nothing was written again. */
const everyFile = (folder: string) =>
  globSync("**/*", { cwd: folder })
    .map((path) => `${path} ${statSync(join(folder, path)).mtimeMs}`)
    .filter((path) => !path.startsWith("_staging"))
    .sort()

layer(FourNights.layer, { excludeTestServices: true })("an export as Delta tables", (it) => {
  it.effect("has the plain drop's rows in every table, one version per night, and writes nothing a second time", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "delta", ...few })
        const { drop } = yield* FourNights
        for (const table of few.tables) {
          const location = join(folder, table)
          const found = filesOf(location).length === 0 ? [] : yield* fileRows(rowsOf(location))
          assert.deepStrictEqual(texts(found), texts(yield* fileRows(dropRows(drop, table))), table)
        }
        const products = join(folder, "products")
        assert.deepStrictEqual(
          nightsIn(products),
          [1, 2, 3, 4].map((place) => `WRITE Append ${dayOf(place)}`)
        )
        for (const place of [1, 2, 3, 4]) {
          const [seen] = yield* fileRows(
            `select count(distinct snapshot_id)::int as nights, max(snapshot_id) as last ${rowsOf(products, place)}`
          )
          assert.deepStrictEqual(seen, { nights: place, last: nightId(place) })
        }
        const before = everyFile(folder)
        yield* exportTo(folder, few)
        assert.deepStrictEqual(everyFile(folder), before)
      })
    )
  )

  it.effect("states the rows, nulls and valid bounds of each file, and the values of its partition", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "delta", ...few })
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
          const told = JSON.parse(stats) as Readonly<Record<"minValues" | "maxValues" | "nullCount", Row>> & {
            readonly numRecords: number
          }
          assert.strictEqual(told.numRecords, known?.["n"])
          assert.strictEqual(Number(told.nullCount["mid"]), Number(known?.["nulls"]))
          const { low, product_id: id, read_at: last } = told.maxValues
          assert.deepStrictEqual([told.minValues["low"], low, id], [known?.["low"], known?.["high"], known?.["id"]])
          assert.isAtMost(Date.parse(String(told.minValues["read_at"])), Date.parse(String(known?.["first"])))
          assert.isAtLeast(Date.parse(String(last)), Date.parse(String(known?.["last"])))
        }
      })
    )
  )

  it.effect("removes what a rollback took back, and every earlier version can still be read", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "delta", ...few })
        const prices = join(folder, "source_prices")
        const then = texts(yield* fileRows(rowsOf(prices)))
        yield* runRollback({ gameId, wanted: nightId(2), why: null })
        yield* exportTo(folder, { ...asUsual, ...few })
        assert.deepStrictEqual(nightsIn(prices).slice(4), [
          `DELETE Overwrite ${dayOf(3)}`,
          `DELETE Overwrite ${dayOf(4)}`
        ])
        const [seen] = yield* fileRows(`select max(snapshot_id) as last, count(*)::int as n ${rowsOf(prices)}`)
        assert.deepStrictEqual(seen, { last: nightId(2), n: 5 })
        assert.deepStrictEqual(texts(yield* fileRows(rowsOf(prices, 4))), then)
        assert.deepStrictEqual(
          yield* fileRows(`select snapshot_id as night, counts ${rowsOf(join(folder, "nights"))} order by night`),
          [1, 2, 3, 4].map((place) => ({ night: nightId(place), counts: place < 3 })) as ReadonlyArray<Row>
        )
        assert.isTrue(
          nightsIn(join(folder, "nights"))
            .slice(4)
            .every((one) => one.startsWith("WRITE Overwrite "))
        )
        assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])

        yield* runRollback({ gameId, wanted: nightId(4), why: null })
        yield* exportTo(folder, { ...asUsual, ...few })
        assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
        const [present] = yield* fileRows(`select count(distinct snapshot_id)::int as nights ${rowsOf(prices)}`)
        assert.deepStrictEqual(present, { nights: 3 })
      })
    )
  )

  it.effect("says what is damaged, gone or rolled back by somebody else, and mends it", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "delta", ...few })
        const products = join(folder, "products")
        const rows = texts(yield* fileRows(rowsOf(products)))
        const [damaged = "", gone = ""] = filesOf(products)
        const content = readFileSync(damaged)
        content[20] = 1 - (content[20] ?? 0)
        writeFileSync(damaged, content)
        rmSync(gone)
        const last = liveFiles(commitsIn(join(folder, "source_prices"))).at(-1)
        const restored = [{ commitInfo: { operation: "RESTORE" } }, { remove: { path: last?.path, dataChange: true } }]
        writeFileSync(
          join(folder, "source_prices/_delta_log/00000000000000000005.json"),
          restored.map((line) => JSON.stringify(line)).join("\n")
        )
        const { faults } = yield* verifyDrop(folder)
        assert.deepStrictEqual(faults.map(({ partition, what }) => `${partition}: ${what}`).sort(), [
          `products, game=${gameId}, dt=${dayOf(1)}: its file has a different sha256`,
          `products, game=${gameId}, dt=${dayOf(2)}: its file is gone`,
          `source_prices, game=${gameId}, dt=${dayOf(4)}: its rows are no longer in the table`
        ])
        assert.deepStrictEqual(didTo(yield* exportTo(folder, { ...asUsual, ...few })), [
          `products ${dayOf(1)} replaced`,
          `products ${dayOf(2)} replaced`,
          `source_prices ${dayOf(4)} added`
        ])
        assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
        assert.deepStrictEqual(texts(yield* fileRows(rowsOf(products))), rows)
        const prices = rowsOf(join(folder, "source_prices"))
        const [mended] = yield* fileRows(`select count(distinct snapshot_id)::int as nights ${prices}`)
        assert.deepStrictEqual(mended, { nights: 4 })
      })
    )
  )

  it.effect("keeps to one format in a destination, and has no load script for what engines read directly", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "delta", tables: ["games"] })
        const refused = yield* Effect.flip(exportTo(folder, { format: "iceberg" }))
        assert.match(refused.message, /was made with --format delta, and a drop has one format/)
        const needless = yield* Effect.flip(loadScript(folder, "duckdb", null))
        assert.match(needless.message, /is kept as delta tables: engines read them as they are/)
      })
    )
  )
})
