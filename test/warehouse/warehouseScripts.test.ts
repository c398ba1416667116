import { live } from "../support/suite.ts"
import { assert, describe } from "@effect/vitest"
import { parse, type Dialect } from "@polyglot-sql/sdk"
import { Effect } from "effect"
import { exportTables } from "../../src/warehouse/drop/exportTables.ts"
import { writeScript, type EngineName } from "../../src/warehouse/engines/loadScript.ts"
import { planLoad, type LoadRequest } from "../../src/warehouse/engines/planLoad.ts"
import { statementsOf } from "./statementsOf.ts"

const everything: LoadRequest = { since: null, until: null, loaded: null }
const dayOf = (index: number) =>
  new Date(Date.parse("2026-01-01") + index * 24 * 3600 * 1000).toISOString().slice(0, 10)
const sha256 = (dt: string) => dt.replaceAll("-", "").padEnd(64, "0")
const file = (game: string, dt: string) => ({ game, dt, rows: 10, bytes: 1234, sha256: sha256(dt) })

interface Shape {
  readonly location: string
  readonly games: ReadonlyArray<string>
  readonly days: number
  readonly tables: number
}

/** A script for a drop of this shape, from the first of January on. */
const scriptFor = (name: EngineName, shape: Partial<Shape>, request: LoadRequest = everything) => {
  const { days = 3, games = ["emberfall"], location = "s3://cards/drop", tables = 1 } = shape
  const files = games.flatMap((game) => Array.from({ length: days }, (_, index) => file(game, dayOf(index))))
  const loads = exportTables("exact")
    .slice(0, tables)
    .map((table) => planLoad(table, games, files, request))
  return writeScript({ location, loads }, name, request)
}

/** What a warehouse loaded of table `games` on these days. */
const loaded = (...days: ReadonlyArray<string>) =>
  days.map((dt) => ({ game: "emberfall", table: "games", dt, sha256: sha256(dt) }))

const remote: ReadonlyArray<EngineName> = ["bigquery", "snowflake", "redshift", "athena", "databricks"]
const local: ReadonlyArray<EngineName> = ["trino", "clickhouse", "postgres", "duckdb"]

describe("a script", () => {
  live("has one COPY a table in Redshift, out of a list of files, for a year of six games", function* () {
    const games = ["a", "b", "c", "d", "e", "f"]
    const script = yield* scriptFor("redshift", { games, days: 365, tables: 3 })
    assert.lengthOf(script.match(/^copy /gm) ?? [], 3)
    const [list = ""] = script.split("\\o\n")
    const lines = list.match(/(?<=^\\qecho ').*(?='$)/gm) ?? []
    const { entries } = JSON.parse(lines.join("")) as { entries: ReadonlyArray<object> }
    assert.lengthOf(entries, 6 * 365)
    assert.deepStrictEqual(entries[365], {
      url: "s3://cards/drop/games/v=1/game=b/dt=2026-01-01/part-00000.parquet",
      mandatory: true,
      meta: { content_length: 1234 }
    })
  })

  live("reads the days that are asked for, and no other file", function* () {
    const paths = {
      snowflake: "(pattern => '.*/(game=(emberfall)/dt=(2026-01-02|2026-01-03))/part-00000[.]parquet')",
      databricks: "'s3://cards/drop/games/v=1/game=emberfall/dt={2026-01-02,2026-01-03}/part-00000.parquet'",
      clickhouse: "'s3://cards/drop/games/v=1/game=emberfall/dt={2026-01-02,2026-01-03}/part-00000.parquet'",
      bigquery: "where game in ('emberfall') and dt between date '2026-01-02' and date '2026-01-03'",
      duckdb: "where game in ('emberfall') and dt between date '2026-01-02' and date '2026-01-03'"
    }
    for (const [name, path] of Object.entries(paths)) {
      assert.include(yield* scriptFor(name as EngineName, {}, { ...everything, since: "2026-01-02" }), path, name)
    }
  })

  live("by what is loaded replaces what differs or is gone, and leaves the rest", function* () {
    const request = (...days: ReadonlyArray<string>) => ({ ...everything, loaded: loaded(...days) })
    const rows = (script: string) => script.match(/(?<=delete from cardlake\.games where ).*(?=;$)/gm)
    const missing = yield* scriptFor("duckdb", {}, request("2026-01-01", "2026-01-03"))
    assert.deepStrictEqual(rows(missing), ["game_id in ('emberfall') and snapshot_date = date '2026-01-02'"])
    const removed = yield* scriptFor("duckdb", {}, request("2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"))
    assert.deepStrictEqual(rows(removed), ["game_id in ('emberfall') and snapshot_date >= date '2026-01-04'"])
    assert.notInclude(removed, "insert")
    const twice = yield* scriptFor("duckdb", {}, request("2026-01-01", "2026-01-01", "2026-01-02", "2026-01-03"))
    assert.deepStrictEqual(rows(twice), ["game_id in ('emberfall') and snapshot_date <= date '2026-01-01'"])
    assert.notInclude(yield* scriptFor("duckdb", {}, request("2026-01-01", "2026-01-02", "2026-01-03")), "delete")
  })

  live("keeps a path with a quote and a backslash as one text, in every warehouse", function* () {
    for (const name of [...remote, ...local]) {
      const script = yield* scriptFor(name, { location: "s3://cards/it's a\\drop" })
      for (const statement of statementsOf(script)) {
        const { error, success } = parse(statement, (name === "postgres" ? "postgresql" : name) as Dialect)
        assert.isTrue(success, `${name}: ${error ?? ""}\n${statement}`)
      }
      const [, quoted] = /['"](\w+:\/\/cards\/it(?:''|\\'|'''')s a\\+drop)/.exec(script) ?? []
      assert.isDefined(quoted, `${name}\n${script}`)
    }
  })

  live("says in one line that nobody elsewhere can read a folder of this machine", function* () {
    const says =
      /^-- .* cannot read \/srv\/drop, a folder of this machine. Export to a bucket and print the script for it$/gm
    for (const name of remote) assert.lengthOf((yield* scriptFor(name, { location: "/srv/drop" })).match(says) ?? [], 1)
    for (const name of local) assert.notMatch(yield* scriptFor(name, { location: "/srv/drop" }), says)
    for (const name of remote) assert.notMatch(yield* scriptFor(name, {}), says)
  })

  live("changes all tables in one transaction, or says that it cannot", function* () {
    for (const name of ["bigquery", "snowflake", "redshift", "postgres", "duckdb"] as const) {
      const script = yield* scriptFor(name, { tables: 2 })
      assert.match(script, /^-- All tables change in one transaction\.$/m, name)
      assert.lengthOf(script.match(/^commit.*;$/gm) ?? [], 1, name)
    }
    for (const name of ["databricks", "clickhouse"] as const) {
      assert.match(
        yield* scriptFor(name, {}),
        /^-- \w+ has no transaction over several tables. .* run it again\.$/m,
        name
      )
    }
    for (const name of ["athena", "trino"] as const) {
      assert.match(
        yield* scriptFor(name, {}),
        /^-- Nothing is loaded: \w+ queries read the files of the export\.$/m,
        name
      )
    }
  })

  live("says the zone where times have none, and replaces a stage of another address", function* () {
    const snowflake = yield* scriptFor("snowflake", {})
    assert.include(snowflake, "alter session set timezone = 'UTC';")
    assert.include(snowflake, "create or replace stage cardlake.drop_files url = 's3://cards/drop/'")
    assert.include(yield* scriptFor("redshift", {}), "set timezone to 'UTC';")
    assert.match(yield* scriptFor("trino", {}), /^-- Run with: .* hive\.parquet\.time-zone=UTC$/m)
  })

  live("takes no text for null, and begins with the encoding where psql runs it", function* () {
    assert.include(yield* scriptFor("snowflake", {}), "null_if = ()")
    for (const name of ["postgres", "redshift"] as const) {
      const [first = ""] = (yield* scriptFor(name, {})).split(/^[a-z]/m)
      assert.match(first, /^\\encoding UTF8$/m, name)
    }
  })

  live("that BigQuery would refuse for its length is not printed, and loads in steps", function* () {
    const year = { games: ["a", "b", "c"], days: 365, tables: 12 }
    const { message } = yield* Effect.flip(scriptFor("bigquery", year))
    assert.match(message, /BigQuery accepts at most 1000000\. .* first with --until DAY, then .* --since auto$/)
    const half = yield* scriptFor("bigquery", year, { ...everything, until: "2026-05-31" })
    assert.notInclude(half, "2026-06-01")
  })
})
