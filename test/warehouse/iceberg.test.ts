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
import { asUsual, didTo, dropRows, exportTo } from "./Dropped.ts"
import { dayOf, FourNights, inCopy, nightId } from "./FourNights.ts"
import { liveFiles, metadataOf, type LiveFile, type ReadMetadata } from "./icebergReader.ts"

const few = { tables: ["products", "source_prices", "nights", "refusals"] }
const texts = (rows: ReadonlyArray<Row>) => rows.map((row) => JSON.stringify(row)).sort()

const tableIn = (folder: string, table: string) => metadataOf(join(folder, table))
const rowsOf = (metadata: ReadMetadata, snapshotId?: number): string => {
  const files = liveFiles(metadata, snapshotId).map(({ file_path: path }) => sqlText(path))
  return `from read_parquet([${files.join(", ")}], hive_partitioning = false, union_by_name = true)`
}
const nightsIn = (metadata: ReadMetadata) =>
  metadata.snapshots.map(({ summary }) => `${summary["operation"]} ${summary["cardlake.dt"]}`)

/** Every file with its time: where both are the same, nothing was written again. */
const filesIn = (folder: string) =>
  globSync("**/*", { cwd: folder })
    .map((path) => `${path} ${statSync(join(folder, path)).mtimeMs}`)
    .filter((path) => !path.startsWith("_staging"))
    .sort()

/** Whether `low` is at most `high`: one is a bound's bytes, the other a value as DuckDB has it. */
const isBelow = (low: unknown, high: unknown, type: string): boolean => {
  const [least, greatest] = [comparable(low, type), comparable(high, type)]
  return least === null || greatest === null ? low === null && high === null : least <= greatest
}
const comparable = (value: unknown, type: string): bigint | string | null => {
  if (value === null || value === undefined) return null
  const decimal = type.startsWith("decimal")
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value)
    if (type === "string") return bytes.toString("hex")
    if (decimal) return BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString("hex")}`))
    if (type === "boolean") return BigInt(bytes[0] ?? 0)
    return bytes.length === 4 ? BigInt(bytes.readInt32LE()) : bytes.readBigInt64LE()
  }
  const text = String(value)
  if (type === "string") return Buffer.from(text).toString("hex")
  if (decimal) return BigInt(text.replace(".", ""))
  if (type === "boolean") return text === "true" ? 1n : 0n
  if (type === "date") return BigInt(Date.parse(text) / 86_400_000)
  return type === "timestamptz" ? BigInt(Date.parse(text)) * 1000n : BigInt(text)
}

/** Takes a table's last snapshot back, as another program would. */
const rollBackByHand = (location: string) => {
  const metadata = metadataOf(location)
  const last = metadata.snapshots.at(-2)?.["snapshot-id"]
  const text = JSON.stringify({
    ...metadata,
    "current-snapshot-id": last,
    refs: { main: { "snapshot-id": last, type: "branch" } }
  })
  const version = Number(readFileSync(join(location, "metadata/version-hint.text"), "utf8")) + 1
  writeFileSync(join(location, `metadata/v${version}.metadata.json`), text)
  writeFileSync(join(location, "metadata/version-hint.text"), String(version))
}

layer(FourNights.layer, { excludeTestServices: true })("an export as Iceberg tables", (it) => {
  it.effect(
    "has the rows of the plain drop in every table, one snapshot per night, and writes nothing a second time",
    () =>
      inCopy(
        Effect.fnUntraced(function* (folder) {
          yield* exportTo(folder, { format: "iceberg", ...few })
          const { drop } = yield* FourNights
          for (const table of few.tables) {
            const metadata = tableIn(folder, table)
            const found = liveFiles(metadata).length === 0 ? [] : yield* fileRows(rowsOf(metadata))
            assert.deepStrictEqual(texts(found), texts(yield* fileRows(dropRows(drop, table))), table)
          }
          const products = tableIn(folder, "products")
          assert.deepStrictEqual(
            nightsIn(products),
            [1, 2, 3, 4].map((place) => `append ${dayOf(place)}`)
          )
          for (const [index, snapshot] of products.snapshots.entries()) {
            const [seen] = yield* fileRows(
              `select count(distinct snapshot_id)::int as nights, max(snapshot_id) as last ${rowsOf(products, snapshot["snapshot-id"])}`
            )
            assert.deepStrictEqual(seen, { nights: index + 1, last: nightId(index + 1) })
          }
          const before = filesIn(folder)
          yield* exportTo(folder, few)
          assert.deepStrictEqual(filesIn(folder), before)
        })
      )
  )

  it.effect("identifies columns by the ids in the Parquet files, and states bounds that hold", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "iceberg", ...few })
        for (const table of ["products", "source_prices"]) {
          const metadata = tableIn(folder, table)
          const fields = metadata.schemas[0]?.fields ?? []
          for (const file of liveFiles(metadata)) {
            const path = sqlText(file.file_path)
            const inFile = yield* fileRows(
              `select name, field_id::int as id from parquet_schema(${path}) where name <> 'duckdb_schema'`
            )
            assert.deepStrictEqual(inFile, fields.map(({ id, name }) => ({ name, id })) as ReadonlyArray<Row>)
            assert.strictEqual(Number(file.file_size_in_bytes), statSync(file.file_path).size)
            const figures = fields.map(
              ({ name }) =>
                `min("${name}")::varchar as "least ${name}", max("${name}")::varchar as "greatest ${name}", count(*) - count("${name}") as "nulls ${name}"`
            )
            const [known] = yield* fileRows(`select ${figures.join(", ")} from ${path}`)
            for (const { id, name, type } of fields) {
              const least = known?.[`least ${name}`]
              const greatest = known?.[`greatest ${name}`]
              const valueIn = (bounds: LiveFile["lower_bounds"]) => bounds.find(({ key }) => key === id)?.value ?? null
              const at = `${table}.${name}`
              assert.strictEqual(
                Number(file.null_value_counts.find(({ key }) => key === id)?.value),
                Number(known?.[`nulls ${name}`]),
                at
              )
              assert.isTrue(isBelow(valueIn(file.lower_bounds), least, type), `${at} from ${String(least)}`)
              assert.isTrue(isBelow(greatest, valueIn(file.upper_bounds), type), `${at} to ${String(greatest)}`)
            }
          }
        }
      })
    )
  )

  it.effect("deletes what a rollback took back, and every earlier snapshot can still be read", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "iceberg", ...few })
        const first = tableIn(folder, "source_prices")
        const then = texts(yield* fileRows(rowsOf(first)))
        yield* runRollback({ gameId, wanted: nightId(2), why: null })
        yield* exportTo(folder, { ...asUsual, ...few })
        const back = tableIn(folder, "source_prices")
        assert.deepStrictEqual(nightsIn(back).slice(4), [`delete ${dayOf(3)}`, `delete ${dayOf(4)}`])
        const [seen] = yield* fileRows(`select max(snapshot_id) as last, count(*)::int as n ${rowsOf(back)}`)
        assert.deepStrictEqual(seen, { last: nightId(2), n: 5 })
        assert.deepStrictEqual(texts(yield* fileRows(rowsOf(back, first["current-snapshot-id"]))), then)
        const nights = tableIn(folder, "nights")
        assert.deepStrictEqual(
          yield* fileRows(`select snapshot_id as night, counts ${rowsOf(nights)} order by night`),
          [1, 2, 3, 4].map((place) => ({ night: nightId(place), counts: place < 3 })) as ReadonlyArray<Row>
        )
        assert.isTrue(
          nightsIn(nights)
            .slice(4)
            .every((one) => one.startsWith("overwrite "))
        )
        assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])

        yield* runRollback({ gameId, wanted: nightId(4), why: null })
        yield* exportTo(folder, { ...asUsual, ...few })
        assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
        const forward = tableIn(folder, "source_prices")
        const [present] = yield* fileRows(`select count(distinct snapshot_id)::int as nights ${rowsOf(forward)}`)
        assert.deepStrictEqual(present, { nights: 3 })
      })
    )
  )

  it.effect("says what is damaged, gone or rolled back by somebody else, and mends it", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { format: "iceberg", ...few })
        const rows = texts(yield* fileRows(rowsOf(tableIn(folder, "products"))))
        const [damaged, gone] = liveFiles(tableIn(folder, "products")).map(({ file_path: path }) => path)
        const content = readFileSync(damaged ?? "")
        content[20] = 1 - (content[20] ?? 0)
        writeFileSync(damaged ?? "", content)
        rmSync(gone ?? "")
        rollBackByHand(join(folder, "source_prices"))
        const { faults } = yield* verifyDrop(folder)
        assert.deepStrictEqual(faults.map(({ partition, what }) => `${partition}: ${what}`).sort(), [
          `products, game=${gameId}, dt=${dayOf(3)}: its file is gone`,
          `products, game=${gameId}, dt=${dayOf(4)}: its file has a different sha256`,
          `source_prices, game=${gameId}, dt=${dayOf(4)}: its rows are no longer in the table`
        ])
        assert.deepStrictEqual(didTo(yield* exportTo(folder, { ...asUsual, ...few })), [
          `products ${dayOf(3)} replaced`,
          `products ${dayOf(4)} replaced`,
          `source_prices ${dayOf(4)} added`
        ])
        assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
        assert.deepStrictEqual(texts(yield* fileRows(rowsOf(tableIn(folder, "products")))), rows)
        const prices = rowsOf(tableIn(folder, "source_prices"))
        const [mended] = yield* fileRows(`select count(distinct snapshot_id)::int as nights ${prices}`)
        assert.deepStrictEqual(mended, { nights: 4 })
      })
    )
  )

  it.effect("keeps to one format in a destination, and has no load script for what engines read directly", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        const { drop } = yield* FourNights
        const refused = yield* Effect.flip(exportTo(drop, { format: "iceberg" }))
        assert.match(
          refused.message,
          /was made with --format files, and a drop has one format\. Export to another destination$/
        )
        yield* exportTo(folder, { format: "iceberg", tables: ["games"] })
        const needless = yield* Effect.flip(loadScript(folder, "duckdb", null))
        assert.match(needless.message, /is kept as iceberg tables: engines read them as they are/)
      })
    )
  )
})
