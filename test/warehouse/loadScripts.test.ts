import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { parse, type Dialect } from "@polyglot-sql/sdk"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse as parseYaml } from "yaml"
import { exportTables } from "../../src/warehouse/drop/exportTables.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { dbtFiles } from "../../src/warehouse/engines/dbtProject.ts"
import { loadScript, type EngineName } from "../../src/warehouse/engines/loadScript.ts"
import { cardlake } from "../pipelines/cli.ts"
import { gameId } from "../store/lake/invented.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { compiledModel } from "./compiledModel.ts"
import {
  contractsIn,
  dropIn,
  dropRows,
  filesOf,
  exportTo,
  dayOf,
  nightId,
  FourNights,
  fourNights,
  temporaryFolder
} from "./FourNights.ts"
import { loadRates } from "./readAgain.ts"
import { isFull } from "../tried.ts"
import { statementsOf } from "./statementsOf.ts"

const reservedWords = join(import.meta.dirname, "../fixtures/drops/reserved-words.json")
const engines: ReadonlyArray<EngineName> = [
  "bigquery",
  "snowflake",
  "redshift",
  "athena",
  "databricks",
  "trino",
  "clickhouse",
  "postgres",
  "duckdb"
]

const few = { tables: ["products", "source_prices", "fx_rates"] }

const dialectOf = (engine: EngineName) => (engine === "postgres" ? "postgresql" : engine) as Dialect

fourNights("a load script", (it) => {
  it.copy("for every warehouse can be parsed in its dialect", function* (folder) {
    yield* loadRates("Date,USD", `${dayOf(2)},1.08`)
    yield* exportTo(folder, isFull ? {} : { tables: [...few.tables, "readings"] })
    const names = contractsIn(folder).flatMap(({ columns, table }) => [table].concat(columns.map(({ name }) => name)))
    for (const engine of engines) {
      const script = yield* loadScript(folder, engine, null)
      const statements = statementsOf(script)
      assert.isAtLeast(statements.length, isFull ? 19 : 5, engine)
      for (const statement of statements) {
        const { error, success } = parse(statement, dialectOf(engine))
        assert.isTrue(success, `${engine}: ${error ?? ""}\n${statement}`)
      }
      for (const name of names) assert.include(script, name, engine)
      assert.match(script, /\brate [\w(]+ ?\(18, ?6\)/i, engine)
      assert.isFalse(parse("select (", dialectOf(engine)).success, engine)
    }
  })

  it.home("needs no quotes: no name of a drop is reserved in any warehouse", function* () {
    const words = JSON.parse(readFileSync(reservedWords, "utf8")) as Record<string, string>
    const keywords = yield* fileRows(
      "select keyword_name as word from duckdb_keywords() where keyword_category = 'reserved'"
    )
    const reserved = new Set([
      ...Object.values(words).flatMap((list) => list.split(" ")),
      ...keywords.map(({ word }) => String(word))
    ])
    assert.isAbove(reserved.size, 250)
    for (const { columns, name } of exportTables("exact")) {
      for (const word of [name, ...columns.map((column) => column.name)]) {
        assert.isFalse(reserved.has(word), `${name}.${word}`)
        assert.match(word, /^[a-z][a-z0-9_]*$/)
        assert.notMatch(word, /^(change|class|condition|field|language|list|new|old|position|source|system)$/)
      }
    }
  })

  it.copy(
    "fills DuckDB with what the drop has, as often as it is run, and removes what was taken back",
    function* (folder) {
      const instance = yield* Effect.promise(() => DuckDBInstance.create(":memory:"))
      const connection = yield* Effect.promise(() => instance.connect())
      const load = (since: string | null) =>
        loadScript(folder, "duckdb", { since, until: null, loaded: null }).pipe(
          Effect.flatMap((script) => Effect.promise(() => connection.run(script)))
        )
      const asInDrop = Effect.gen(function* () {
        for (const { columns, table } of contractsIn(folder)) {
          const texts = columns.map(({ name }) => `"${name}"::varchar as "${name}"`).join(", ")
          const sql = (from: string) => `select ${texts} from (${from}) order by all`
          const loaded = yield* Effect.promise(() => connection.runAndReadAll(sql(`from cardlake.${table}`)))
          const known = yield* fileRows(sql(dropRows(folder, table)))
          assert.deepStrictEqual(loaded.getRowObjectsJson() as typeof known, known, table)
        }
      })
      const nights = Effect.promise(async () =>
        (
          await connection.runAndReadAll(
            "select snapshot_id, counts, (select count(*) from cardlake.source_prices p where p.snapshot_id = n.snapshot_id)::int from cardlake.nights n order by 1"
          )
        ).getRowsJson()
      )
      yield* Effect.promise(() => connection.run("set TimeZone = 'UTC'"))
      yield* loadRates("Date,USD", `${dayOf(2)},1.08`)
      yield* exportTo(folder, few)
      yield* load(null)
      yield* load(null)
      yield* asInDrop
      assert.deepStrictEqual(
        yield* nights,
        [1, 2, 3, 4].map((place) => [nightId(place), true, place + 1])
      )

      yield* runRollback({ gameId, wanted: nightId(2), why: null })
      yield* exportTo(folder, few)
      yield* load(dayOf(2))
      yield* asInDrop
      assert.deepStrictEqual(yield* nights, [
        [nightId(1), true, 2],
        [nightId(2), true, 3],
        [nightId(3), false, 0],
        [nightId(4), false, 0]
      ])
      connection.closeSync()
      instance.closeSync()
    }
  )

  it.home.full("adds new columns to an earlier table, and loads files that lack them", function* (folder) {
    yield* dropIn(folder)
    const instance = yield* Effect.promise(() => DuckDBInstance.create(":memory:"))
    const connection = yield* Effect.promise(() => instance.connect())
    const run = (sql: string) => Effect.promise(() => connection.run(sql))
    for (const file of filesOf(folder, "products")) {
      yield* run(`copy (select * exclude (price_extra) from read_parquet('${file}', hive_partitioning = false))
          to '${file}' (format parquet)`)
    }
    const script = yield* loadScript(folder, "duckdb", null)
    yield* run(script)
    yield* run("alter table cardlake.products drop column price_extra")
    yield* run(script)
    const found = yield* Effect.promise(() =>
      connection.runAndReadAll("select count(*)::int as rows, count(price_extra)::int as extras from cardlake.products")
    )
    assert.deepStrictEqual(found.getRowObjectsJson(), [{ rows: 2 + 3 + 4 + 5, extras: 0 }])
    for (const engine of engines) {
      const text = yield* loadScript(folder, engine, null)
      const adds = {
        athena: "drop table if exists cardlake.products",
        databricks: "insert with schema evolution into cardlake.products",
        redshift: "'alter table cardlake.products add column price_extra varchar(65535)'"
      }
      const add: Readonly<Record<string, string>> = adds
      assert.include(text, add[engine] ?? "alter table cardlake.products add column if not exists price_extra", engine)
    }
    connection.closeSync()
    instance.closeSync()
  })

  it.home("for dbt describes every column, and its models and tests are SQL", function* () {
    const files = new Map(dbtFiles(exportTables("exact")))
    const { sources } = parseYaml(files.get("models/cardlake/sources.yml") ?? "") as {
      sources: ReadonlyArray<{
        tables: ReadonlyArray<{
          name: string
          freshness?: object
          columns: ReadonlyArray<{ name: string; description: string }>
        }>
      }>
    }
    assert.deepStrictEqual(
      sources[0]?.tables.map(({ columns, name }) => [name, columns.map((column) => column.name)]),
      exportTables("exact").map(({ columns, name }) => [name, columns.map((column) => column.name)])
    )
    // A feed that stands still is not stale: it was read.
    assert.deepStrictEqual(
      sources[0]?.tables.flatMap(({ freshness, name }) => (freshness === undefined ? [] : [name])),
      ["readings"]
    )
    for (const [path, text] of files) {
      if (!path.endsWith(".sql")) continue
      const sql = compiledModel(text)
      assert.isTrue(parse(sql, "postgresql" as Dialect).success, sql)
    }
  })
  it.home("for dbt is a project that runs at once: a profile for the file that the printed line fills", function* () {
    const { drop } = yield* FourNights
    const folder = yield* temporaryFolder
    writeFileSync(join(folder, "dbt_project.yml"), "name: mine\n")
    const ended = yield* Effect.promise(() => cardlake(["export", "--to", drop, "--dbt", folder]))
    assert.strictEqual(ended.code, 0, ended.stderr)
    const [file = ""] = / --sql duckdb \|\n +duckdb (.+)$/m.exec(ended.stdout)?.slice(1) ?? []
    const profile = parseYaml(readFileSync(join(folder, "profiles.yml"), "utf8"))
    assert.strictEqual(file, `'${join(folder, profile.cardlake.outputs.duckdb.path)}'`)
    assert.match(ended.stdout, /^ {2}cd '.*' && dbt build --profiles-dir \.$/m)
    // What is there is kept.
    assert.strictEqual(readFileSync(join(folder, "dbt_project.yml"), "utf8"), "name: mine\n")
  })
})
