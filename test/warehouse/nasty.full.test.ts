import { assert } from "@effect/vitest"
import { loadScript } from "../../src/warehouse/engines/loadScript.ts"
import { contractsIn, exportTo, temporaryFolder, dropRows } from "./FourNights.ts"
import { noPostgres, servePostgres } from "./servePostgres.ts"
import { suite, shared } from "../support/suite.ts"
import { DuckDBInstance } from "@duckdb/node-api"
import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { writeQuery } from "../../pipelines/lake/runQuery.ts"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { inDrop, nastyTexts, publishNasty } from "./nastyCatalogue.ts"
import { tablesFound } from "./tablesFound.ts"
import { emptyHome } from "../store/lake/handMadeNights.ts"

/** A column as hexadecimal digits of its text: no program on the way from an engine changes those. */
const digits = {
  duckdb: (name: string) => `lower(hex("${name}"::varchar))`,
  postgres: (name: string) => `encode(convert_to("${name}"::text, 'UTF8'), 'hex')`
}

/** SQL of a table's rows, each as the digest of all its values. */
const digestsSql = (engine: keyof typeof digits, columns: ReadonlyArray<{ readonly name: string }>, from: string) =>
  `select md5(concat_ws(',', ${columns.map(({ name }) => `coalesce(${digits[engine](name)}, '-')`).join(", ")})) as row ${from} order by 1`

/** Digests of a table's rows in files, as DuckDB reads them. */
const digestsOf = (columns: ReadonlyArray<{ readonly name: string }>, from: string) =>
  Effect.map(fileRows(digestsSql("duckdb", columns, from)), (rows) => rows.map(({ row }) => String(row)))

/** A home in which every text of the feed is nasty, and its drop; not to be changed. */
const Shared = shared("Nasty", function* () {
  yield* publishNasty
  const drop = yield* temporaryFolder
  yield* exportTo(drop)
  const known = yield* Effect.forEach(contractsIn(drop), ({ columns, table }) =>
    Effect.map(digestsOf(columns, dropRows(drop, table)), (rows) => [table, rows] as const)
  )
  return { drop, known: new Map(known) }
})
const Nasty = Object.assign(Shared, { layer: Layer.provideMerge(Shared.layer, emptyHome) })

if (noPostgres !== null) console.warn(`${noPostgres}: the tests with it are skipped`)

/** Settings that a load may find: of the client, and in PGOPTIONS of the session. */
const settings: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { PGCLIENTENCODING: "LATIN1", PGTZ: "Asia/Kolkata", PGDATESTYLE: "German, DMY", TZ: "Pacific/Honolulu" },
  { PGCLIENTENCODING: "WIN1252", PGOPTIONS: "-c standard_conforming_strings=off -c backslash_quote=off" },
  { PGCLIENTENCODING: "SJIS", LC_ALL: "C", PGOPTIONS: "-c intervalstyle=iso_8601 -c search_path=pg_temp" }
]

/** Columns with words of the contract, of the home and of the program alone. */
const ownWords =
  /^(game_id|snapshot_id|from_snapshot|product_type|price_source|currency|id_system|entity|change_type|change_class|feed_list|page|record_id|reason|kind|place|claimed|seen|status|explanation|changed|title|url|follows|price_extra)$/
/** Tables whose texts are all of the contract, of the home or of the program. */
const ofProgram = /^(reused_ids|readings|price_sources|backfills|backfill_refusals|price_moves)\./

const textColumns = (folder: string) =>
  contractsIn(folder).flatMap(({ columns, table }) =>
    columns.flatMap(({ name, type }) =>
      type === "VARCHAR" && !ownWords.test(name) && !ofProgram.test(`${table}.${name}`) ? [{ table, name }] : []
    )
  )

/** Every text of a value: of a JSON object its keys and values, too. */
const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "object" && value !== null) return Object.entries(value).flat().flatMap(textsIn)
  if (typeof value !== "string") return []
  return value.startsWith("{") && value.length > 2 ? [value, ...textsIn(JSON.parse(value) as unknown)] : [value]
}
/** The client of DuckDB leaves a byte order mark out. */
const decoded = (hex: unknown) => Buffer.from(String(hex), "hex").toString()

/** A value of the text format of COPY, as the manual of Postgres describes it. */
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\\": "\\" }
const uncopied = (field: string) =>
  field === "\\N" ? null : field.replaceAll(/\\(.)/g, (_, sign: string) => escapes[sign] ?? assert.fail(field))

suite(Nasty.layer, "a catalogue of nasty texts", (it) => {
  it("is in a drop as the feed has it, in every column of texts, but for U+0000", function* () {
    const { drop } = yield* Nasty
    const columns = textColumns(drop)
    assert.isAtLeast(columns.length, 50)
    for (const { name, table } of columns) {
      const rows = yield* fileRows(
        `select distinct hex("${name}") as hex ${dropRows(drop, table)} where "${name}" is not null`
      )
      const values = rows.map(({ hex }) => decoded(hex))
      // As JSON, an object keeps U+0000 as an escape.
      const found = inDrop([...new Set(values.flatMap(textsIn))].join("\n\n"))
      // A path is for reading, and cut.
      const most = name === "path" ? 100 : Number.POSITIVE_INFINITY
      const lacking = nastyTexts.filter((text) => !found.includes(inDrop(text).slice(0, most)))
      assert.deepStrictEqual(lacking, [], `${table}.${name}`)
      assert.notInclude(values.join(""), "\0", `${table}.${name}`)
    }
  })

  for (const { filesIn, format } of Object.values(tablesFound)) {
    it(`has the same rows as ${format} tables`, function* () {
      const { drop, known } = yield* Nasty
      const folder = yield* temporaryFolder
      yield* exportTo(folder, { format })
      for (const { columns, table } of contractsIn(drop)) {
        const files = filesIn(folder, table)
        if (files.length === 0) continue
        const from = `from read_parquet([${files.map(sqlText).join(", ")}], hive_partitioning = false)`
        assert.deepStrictEqual(yield* digestsOf(columns, from), known.get(table), table)
      }
    })
  }

  it("is loaded by DuckDB's script as the drop has it", function* () {
    const { drop, known } = yield* Nasty
    const script = yield* loadScript(drop, "duckdb", null)
    const connection = yield* Effect.promise(async () => (await DuckDBInstance.create(":memory:")).connect())
    yield* Effect.promise(() => connection.run(`set TimeZone = 'UTC'; ${script}`))
    for (const { columns, table } of contractsIn(drop)) {
      const rows = yield* Effect.promise(() =>
        connection.runAndReadAll(digestsSql("duckdb", columns, `from cardlake.${table}`))
      )
      assert.deepStrictEqual(rows.getRowsJson().flat().map(String), known.get(table), table)
    }
    connection.closeSync()
  })

  it("is printed by query --copy in lines and fields that Postgres takes apart", function* () {
    const { drop } = yield* Nasty
    const file = join(yield* temporaryFolder, "rows")
    const names = `${dropRows(drop, "products")} order by product_id, snapshot_id`
    const sql = `select product_id, name, null as absent, '' as empty ${names}`
    yield* writeQuery(sql, { file, format: "copy" }, { allowFiles: true })
    const hexes = yield* fileRows(`select product_id, hex(name) as hex ${names}`)
    assert.deepStrictEqual(
      readFileSync(file, "utf8")
        .split("\n")
        .map((line) => line.split("\t").map(uncopied)),
      [...hexes.map(({ hex, product_id: id }) => [String(id), decoded(hex), null, ""]), [""]]
    )
  })

  it.skipIf(noPostgres !== null)(
    "is loaded by Postgres' script as the drop has it, whatever settings psql finds",
    function* () {
      const { drop, known } = yield* Nasty
      const psql = yield* servePostgres
      const few = yield* temporaryFolder
      yield* exportTo(few, { tables: ["games", "products", "refusals"] })
      for (const [index, env] of settings.entries()) {
        const [database, from] = [`settings${index}`, index === 0 ? drop : few]
        const script = yield* loadScript(from, "postgres", null)
        assert.strictEqual(psql("postgres", `create database ${database}`).code, 0)
        const ran = psql(database, script, { ...env, CARDLAKE_HOME: `${drop}/nowhere` })
        assert.strictEqual(ran.code, 0, ran.errors)
        for (const { columns, table } of contractsIn(from)) {
          const rows = psql(
            database,
            `set timezone = 'UTC';\n${digestsSql("postgres", columns, `from cardlake.${table}`)}`
          )
          assert.deepStrictEqual(rows.out.trimEnd().split("\n").filter(Boolean), [...(known.get(table) ?? [])], table)
        }
      }
    },
    600_000
  )
})
