import { assert } from "@effect/vitest"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { fileRows, type Row } from "../store/lake/tableRows.ts"
import { exportTo, leftAlone, dayOf, fourNights } from "./FourNights.ts"
import { type LiveFile, liveFiles, metadataOf } from "./icebergReader.ts"

const few = { tables: ["products", "source_prices"] }
const only = { tables: ["products"] }

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

fourNights("an Iceberg table", (it) => {
  it.home("identifies columns by the ids in the Parquet files, and states bounds that hold", function* (folder) {
    yield* exportTo(folder, { format: "iceberg", ...few })
    for (const table of ["products", "source_prices"]) {
      const metadata = metadataOf(join(folder, table))
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

  it.home("whose columns another program changed is left alone, and a sentence says why", function* (folder) {
    yield* exportTo(folder, { format: "iceberg", ...only, span: { since: null, until: dayOf(1), backfill: true } })
    const path = join(folder, "products/metadata/v2.metadata.json")
    const text = readFileSync(path, "utf8")
    writeFileSync(
      path,
      text.replace(/"fields":\[/, `"fields":[{"id":99,"name":"note","required":false,"type":"string"},`)
    )
    const refused = yield* leftAlone(folder, only)
    assert.match(
      refused,
      /^The Iceberg table products has a column note \(id 99, string\) that this version of Cardlake does not write\. Update Cardlake, or remove/
    )
    writeFileSync(path, text.replaceAll(folder, "/elsewhere"))
    const moved = yield* leftAlone(folder, only)
    assert.match(moved, /names a file outside .*: \/elsewhere\/.*\. Export there, or to an empty destination$/)
    writeFileSync(path, text.slice(0, 100))
    const broken = yield* leftAlone(folder, only)
    assert.match(broken, /has metadata that Cardlake cannot read: .*v2\.metadata\.json\. /)
  })
})
