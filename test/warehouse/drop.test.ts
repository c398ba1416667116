import { suite } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet"
import { fileRows, lakeRows, type Row } from "../store/lake/tableRows.ts"
import { contractsIn, Dropped, dropRows, filesOf } from "./FourNights.ts"
import { readers, rowTexts, type Values } from "./otherReaders.ts"
import { tried } from "../tried.ts"

/** A table of the drop, the lake's rows for it, and the columns that only one of the two has. */
interface Compared {
  readonly table: string
  readonly lake: string
  readonly ofPresent?: boolean
  readonly without?: ReadonlyArray<string>
}
const otherwise: ReadonlyArray<Compared> = [
  { table: "source_prices", lake: "from source_price_history", without: ["is_listed"] },
  { table: "marketplace_prices", lake: "from marketplace_price_history", without: ["is_listed"] },
  { table: "changes", lake: "from changes" },
  { table: "price_moves", lake: "from price_moves" },
  { table: "reconciliations", lake: "from reconciliations" },
  { table: "deployments", lake: "from deployments" },
  { table: "deployment_changes", lake: "from deployment_changes" },
  {
    table: "nights",
    lake: "select *, true as counts, lag(snapshot) over (partition by game_id order by place) as follows from nights"
  },
  { table: "readings", lake: "from readings" },
  { table: "price_sources", lake: "select '_all' as game_id, * from price_sources" },
  { table: "reused_ids", lake: "select * replace (array_to_string(changed, ',') as changed) from reused_ids" },
  {
    table: "expansion_languages",
    lake: `select game_id, expansion_id, unnest(languages) as language, generate_subscripts(languages, 1) as position
      from expansions`,
    ofPresent: true
  }
]
const gathered = new Set(otherwise.map(({ table }) => table).filter((table) => !table.endsWith("_prices")))

const texts = (rows: ReadonlyArray<Row>) => rows.map((row) => JSON.stringify(row)).sort()

suite(Dropped.layer, "a drop", (it) => {
  it("has every row of the lake, digit by digit", function* () {
    const { folder } = yield* Dropped
    const contracts = contractsIn(folder)
    assert.isAbove(contracts.length, 15)
    const present = contracts
      .filter(({ table }) => !gathered.has(table))
      .map(({ table }): Compared => ({ table, lake: `from ${table}`, ofPresent: true }))
    for (const { lake, ofPresent, table, without = [] } of [...present, ...otherwise]) {
      const left = new Set(["snapshot_date", "snapshot_id", "read_at", ...without])
      const columns = contracts.find((one) => one.table === table)?.columns ?? []
      const both = columns.filter(({ name }) => !left.has(name))
      const ours = both.map(({ lakeColumn, name }) => `"${name}"::varchar as "${lakeColumn}"`)
      const theirs = both.map(({ lakeColumn }) => `"${lakeColumn}"::varchar as "${lakeColumn}"`)
      const where =
        ofPresent === true
          ? `where snapshot_id = (select max(snapshot_id) ${dropRows(folder, "nights")} where counts)`
          : ""
      const found = yield* fileRows(`select ${ours.join(", ")} from (${dropRows(folder, table)}) ${where}`)
      const known = yield* lakeRows(`select ${theirs.join(", ")} from (${lake})`)
      assert.deepStrictEqual(texts(found), texts(known), table)
    }
  })

  it("names the night, its day and its time in every row, as the lake does", function* () {
    const { folder } = yield* Dropped
    const nights = yield* lakeRows(
      "select game_id, day::varchar as snapshot_date, snapshot as snapshot_id, seen_at::varchar as read_at from nights"
    )
    for (const table of ["products", "source_prices", "nights"]) {
      const found =
        yield* fileRows(`select distinct game_id, snapshot_date::varchar as snapshot_date, snapshot_id, read_at::varchar as read_at
            ${dropRows(folder, table)}`)
      assert.deepStrictEqual(texts(found), texts(nights), table)
    }
  })

  it("has no two rows with the same key of its contract", function* () {
    const { folder } = yield* Dropped
    for (const { key, table } of contractsIn(folder)) {
      const twice = yield* fileRows(
        `select ${key.join(", ")}, count(*) ${dropRows(folder, table)} group by all having count(*) > 1`
      )
      assert.deepStrictEqual(twice, [], table)
    }
  })

  it("is SNAPPY in version 1 pages, flat, with field ids, and has no type that a warehouse lacks", function* () {
    const { folder } = yield* Dropped
    const types = new Set<string>()
    for (const { columns, table } of contractsIn(folder)) {
      const isOfGame = columns.some(({ name }) => name === "snapshot_id")
      for (const path of filesOf(folder, table)) {
        const file = yield* Effect.promise(() => asyncBufferFromFile(path))
        const metadata = yield* Effect.promise(() => parquetMetadataAsync(file))
        const chunks = metadata.row_groups.flatMap((group) => group.columns.map((column) => column.meta_data))
        for (const chunk of chunks) {
          assert.strictEqual(chunk?.codec, "SNAPPY", path)
          for (const encoding of chunk?.encodings ?? []) {
            assert.include(["PLAIN", "PLAIN_DICTIONARY", "RLE"], encoding, path)
          }
          assert.exists(chunk?.statistics, path)
        }
        const [root, ...fields] = metadata.schema
        assert.strictEqual(root?.num_children, fields.length, "flat")
        assert.deepStrictEqual(
          fields.map(({ field_id, name }) => [name, field_id]),
          columns.map(({ fieldId, name }) => [name, fieldId])
        )
        for (const { converted_type, precision, type } of fields) {
          types.add(`${type} ${converted_type ?? ""}`.trim())
          if (converted_type === "DECIMAL") assert.isAtMost(precision ?? 0, 18)
        }
        const entries = new Map((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value]))
        assert.match(entries.get("cardlake.snapshots") ?? "", isOfGame ? /^\d{8}T/ : /^$/)
        assert.match(entries.get("cardlake.contract_version") ?? "", /^\d+$/)
        assert.match(entries.get("cardlake.deployments") ?? "", isOfGame ? /^dep_/ : /^$/)
      }
    }
    assert.deepStrictEqual([...types].sort(), [
      "BOOLEAN",
      "BYTE_ARRAY UTF8",
      "INT32 DATE",
      "INT32 INT_32",
      "INT64 DECIMAL",
      "INT64 INT_64",
      "INT64 TIMESTAMP_MICROS"
    ])
  })

  for (const [name, asText, read] of tried(readers, (_, index) => index === 0)) {
    it(`reads the same in ${name}, cent by cent`, function* () {
      const { asText: textFolder, folder } = yield* Dropped
      for (const contract of contractsIn(folder)) {
        const { columns, table } = contract
        const found: Array<Values> = []
        for (const file of filesOf(asText ? textFolder : folder, table)) {
          found.push(...(yield* Effect.promise(() => read(file))))
        }
        const texts = columns.map(({ name: column, type }) =>
          type === "TIMESTAMP" ? `strftime("${column}", '%Y-%m-%dT%H:%M:%S.%g')` : `"${column}"::varchar`
        )
        const known = yield* fileRows(`select [${texts.join(", ")}] as row ${dropRows(folder, table)}`)
        assert.deepStrictEqual(
          rowTexts(contract, found),
          known.map(({ row }) => row),
          table
        )
      }
    })
  }
})
