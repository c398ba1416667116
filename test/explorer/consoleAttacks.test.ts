import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { consoleAnswer } from "../../src/explorer/console/consoleAnswer.ts"
import { consoleLake } from "./consoleLake.ts"

let place: Awaited<ReturnType<typeof consoleLake>>
let files: ReadonlyArray<string>
beforeAll(async () => {
  place = await consoleLake()
  files = place.files()
})
afterAll(() => place.remove())

/** What the process of a query prints, asked in this one. */
const printed = async (sql: string) => {
  let text = ""
  for await (const lines of consoleAnswer({ lake: place.lake, sql, shape: "texts", most: 201 })) text += lines
  return text
}

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

describe("the console does not run", () => {
  for (const [sql, says] of attacks) {
    it(`what is refused: ${sql}`, async () => {
      const answer = await printed(sql.replaceAll("HOME", place.home))
      assert.match(answer, /^refused ".*\n$|^columns .*\nrefused ".*\n$/)
      assert.match(answer, says)
      assert.deepStrictEqual(place.files(), files)
    })
  }
})

it("after all of this the console answers", async () => {
  assert.match(await printed("from cards"), /^columns .*\n(row .*\n){2}end null\n$/)
})
