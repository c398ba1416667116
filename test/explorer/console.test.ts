import { assert, beforeAll, describe, it } from "@effect/vitest"
import { DuckDBInstance } from "@duckdb/node-api"
import { Effect, Stream } from "effect"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, vi } from "vitest"
import { askConsole, downloadConsole } from "../../src/explorer/console/askConsole.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "cardlake-test-")))
const lake = join(home, "lake.duckdb")
const parquet = join(home, "snapshots/prices.parquet")

/**
 * A lake as the home has it: a table inside, a view over Parquet below `snapshots`,
 * a macro; and a file beside them that is nobody's business.
 */
beforeAll(async () => {
  mkdirSync(join(home, "snapshots"))
  writeFileSync(join(home, "current.json"), '{"secret":"not for the console"}')
  const instance = await DuckDBInstance.create(lake)
  const connection = await instance.connect()
  await connection.run(`
    copy (select 7::bigint as id, 12.3400::decimal(18, 4) as low) to '${parquet}';
    create table cards as select 9007199254740991 as id, 'Marsh "Lantern", foil' as name, 0.1000::decimal(18, 4) as low, null as note
      union all select 2, '', 20000000.0001, 'x';
    create view prices as from read_parquet('${parquet}');
    create macro dearer_than(bound) as table from cards where low > bound`)
  connection.closeSync()
  instance.closeSync()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const asked = (sql: string, seconds?: number) => Effect.runPromise(askConsole(lake, sql, seconds))
const refused = (sql: string, seconds?: number) =>
  Effect.runPromise(Effect.map(Effect.flip(askConsole(lake, sql, seconds)), ({ message }) => message))
const downloaded = (sql: string, format: "csv" | "spreadsheet" | "json") =>
  Effect.runPromise(Stream.mkString(downloadConsole({ lake, sql }, format)))

/** Nothing a query did is left: no file more than the lake, its Parquet and the document beside. */
const untouched = () =>
  assert.deepStrictEqual(readdirSync(home, { recursive: true }).map(String).toSorted(), [
    "current.json",
    "lake.duckdb",
    "snapshots",
    "snapshots/prices.parquet"
  ])

describe("the console answers", () => {
  it("with every digit, null apart from the empty text", async () => {
    assert.deepStrictEqual(await asked("select id, name, low, note from cards order by low"), {
      columns: ["id", "name", "low", "note"],
      rows: [
        ["9007199254740991", 'Marsh "Lantern", foil', "0.1000", null],
        ["2", "", "20000000.0001", "x"]
      ],
      more: false
    })
  })

  it("from the Parquet behind a view", async () => {
    assert.deepStrictEqual((await asked("from prices")).rows, [["7", "12.3400"]])
  })

  it("from the lake's macros", async () => {
    assert.deepStrictEqual((await asked("select id from dearer_than(1)")).rows, [["2"]])
  })

  for (const sql of [
    "show tables",
    "describe cards",
    "summarize cards",
    "with a as (values (1)) from a;",
    "table cards"
  ]) {
    it(`to ${sql}`, async () => assert.isAbove((await asked(sql)).rows.length, 0))
  }

  it("with the first 200 rows, in their order, and says that there are more", async () => {
    const { more, rows } = await asked("select i from range(201) r(i) order by i desc")
    assert.deepStrictEqual([rows.length, rows[0], rows.at(-1), more], [200, ["200"], ["1"], true])
  })

  it("with columns of one name", async () => {
    assert.deepStrictEqual((await asked("select 1 as a, 2 as a")).rows, [["1", "2"]])
  })

  it("in DuckDB's words where a query is wrong", async () => {
    assert.match(await refused("select nam from cards"), /Referenced column "nam" not found/)
    assert.match(await refused("selec 1"), /syntax error at or near "selec"/)
  })
})

describe("a download of the console", () => {
  it("as CSV has every row, quoted where it has to be", async () => {
    assert.strictEqual(
      await downloaded("select id, name, low, note from cards order by low", "csv"),
      'id,name,low,note\r\n9007199254740991,"Marsh ""Lantern"", foil",0.1000,\r\n2,"",20000000.0001,x\r\n'
    )
  })

  it("as CSV for a spreadsheet has no cell that runs, and numbers as they are", async () => {
    const cells = "select '=1+1' as a, -5.25::decimal(9, 4) as b, '-5,A1' as c, null as d, '' as e, e'\\t=x' as f"
    assert.strictEqual(await downloaded(cells, "spreadsheet"), `a,b,c,d,e,f\r\n'=1+1,-5.2500,"'-5,A1",,"",'\t=x\r\n`)
    assert.strictEqual(await downloaded(cells, "csv"), `a,b,c,d,e,f\r\n=1+1,-5.2500,"-5,A1",,"",\t=x\r\n`)
  })

  it("as JSON has every row, figures digit by digit", async () => {
    const text = await downloaded("select id, low, note from cards order by low", "json")
    assert.include(text, '"id":9007199254740991,"low":0.1000,"note":null')
    assert.deepStrictEqual(JSON.parse(text).length, 2)
  })

  it("as JSON without a row is an empty list", async () => {
    assert.deepStrictEqual(JSON.parse(await downloaded("from cards where false", "json")), [])
  })

  it("is as long as the result", async () => {
    assert.strictEqual((await downloaded("from range(100_000)", "csv")).split("\r\n").length, 100_002)
  })
})

/** What somebody tries who wants more than to read, and what the answer says. */
const attacks: ReadonlyArray<readonly [sql: string, says: RegExp]> = [
  ["from read_csv('/etc/passwd')", /does not call read_csv/],
  ["from read_text('/etc/passwd')", /does not call read_text/],
  ["from read_blob('/proc/self/environ')", /does not call read_blob/],
  ["from '/etc/passwd'", /does not exist/],
  ["from '/etc/hosts.csv'", /disabled by configuration/],
  ["from 'HOME/current.json'", /disabled by configuration/],
  ["from 'HOME/snapshots/../current.json'", /disabled by configuration/],
  ["from 'http://127.0.0.1:1/x.parquet'", /disabled by configuration/],
  ["select (select content from read_text('HOME/current.json'))", /does not call read_text/],
  ["with a as (from glob('/etc/*')) select * from cards, a", /does not call glob/],
  ["from cards where exists (from sniff_csv('/etc/passwd'))", /does not call sniff_csv/],
  ["from parquet_metadata('HOME/snapshots/prices.parquet')", /does not call parquet_metadata/],
  ["copy (select 1) to '/tmp/x.csv'", /only reads/],
  ["copy cards to 'HOME/snapshots/x.csv'", /only reads/],
  ["explain analyze copy cards to 'HOME/snapshots/x.csv'", /only reads/],
  ["export database 'HOME/snapshots/all'", /only reads/],
  ["import database 'HOME'", /only reads/],
  ["attach 'HOME/snapshots/y.duckdb'", /only reads/],
  ["attach ':memory:' as m", /only reads/],
  ["detach lake", /only reads/],
  ["install httpfs", /only reads/],
  ["load httpfs", /only reads/],
  ["set memory_limit = '10GB'", /only reads/],
  ["set enable_external_access = true", /only reads/],
  ["set lock_configuration = false", /only reads/],
  ["reset memory_limit", /only reads/],
  ["pragma memory_limit = '10GB'", /only reads/],
  ["pragma enable_profiling", /only reads/],
  ["call enable_logging(storage := 'file', storage_path := 'HOME/snapshots/log')", /only reads/],
  ["from enable_logging(storage := 'file', storage_path := 'HOME/snapshots/log')", /does not call enable_logging/],
  ["from enable_profiling()", /does not call enable_profiling/],
  ["from query('copy cards to ''HOME/snapshots/x.csv''')", /does not call query/],
  ["from query_table('cards')", /does not call query_table/],
  ["from json_execute_serialized_sql(json_serialize_sql('from cards'))", /does not call json_execute_serialized_sql/],
  ["from \"read_text\"('/etc/passwd')", /does not call read_text/],
  ["from READ_TEXT('/etc/passwd')", /does not call read_text/],
  ["from duckdb_secrets()", /does not call duckdb_secrets/],
  ["from duckdb_settings()", /does not call duckdb_settings/],
  ["select getenv('HOME')", /does not exist/],
  ["create table stolen as from cards", /only reads/],
  ["create temp table t as from range(1000000000)", /only reads/],
  ["create secret (type s3)", /only reads/],
  ["insert into cards from cards", /only reads/],
  ["update cards set low = 0", /only reads/],
  ["delete from cards", /only reads/],
  ["drop table cards", /only reads/],
  ["begin", /only reads/],
  ["prepare a as from cards", /only reads/],
  ["checkpoint", /only reads/],
  ["select 1; drop table cards", /only reads/],
  ["select 1) to 'HOME/snapshots/x.csv' --", /syntax error/],
  ["select 1)) as x; copy cards to 'HOME/snapshots/x.csv'; --", /syntax error/],
  ["", /empty/],
  [" ; -- nothing", /empty/]
]

describe.concurrent("the console does not run", () => {
  for (const [sql, says] of attacks) {
    it(`what is refused: ${sql}`, async () => {
      assert.match(await refused(sql.replaceAll("HOME", home)), says)
      untouched()
    })
  }
})

describe.concurrent("the console stops", () => {
  const stopped = /took longer than 2 seconds|more memory|Out of Memory/
  const endless: ReadonlyArray<string> = [
    "with recursive t(i) as (select 1 union all select i + 1 from t) select count(*) from t",
    "with recursive t(i) as (select repeat('x', 1000) union all select i || i from t) from t",
    "select i, hash(i) from range(1_250_000_000) r(i) order by hash(i)",
    "select count(*) from range(10_000_000) a, range(10_000_000) b where hash(a.range) = hash(b.range + 1)",
    "select sum(sqrt(i)) from range(1_000_000_000_000) r(i)",
    "select length(repeat('x', 4_000_000_000)) from range(8)",
    "select list(i) from range(10_000_000_000) r(i)"
  ]
  for (const sql of endless) {
    it(`after two seconds: ${sql}`, async () => assert.match(await refused(sql, 2), stopped), 10_000)
  }
})

it("after all of this the console answers, and nothing lies about", async () => {
  assert.strictEqual((await asked("from cards")).rows.length, 2)
  untouched()
})

/** Processes that run a query now, by their id. */
const running = () =>
  readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("consoleProcess.ts")
    } catch {
      return false
    }
  })

describe.skipIf(!existsSync("/proc/self/environ"))("the process of a query", () => {
  const endless = "select sum(sqrt(i)) from range(1_000_000_000_000) r(i)"

  it("knows nothing of this one's environment", async () => {
    const answer = refused(endless, 2)
    await vi.waitFor(() => assert.strictEqual(running().length, 1), 2000)
    assert.strictEqual(readFileSync(`/proc/${running()[0]}/environ`, "utf8"), "")
    await answer
  })

  it("ends with its time", async () => {
    await refused(endless, 1)
    await vi.waitFor(() => assert.deepStrictEqual(running(), []), 2000)
  })

  it("ends when nobody waits for the rest of a download any more", async () => {
    const rows = downloadConsole({ lake, sql: "from range(1_000_000_000)" }, "csv")
    assert.deepStrictEqual(await Effect.runPromise(Stream.runCollect(Stream.take(rows, 2))), ["range\r\n", "0\r\n"])
    await vi.waitFor(() => assert.deepStrictEqual(running(), []), 2000)
  })
})
