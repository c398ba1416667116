import { afterAll, assert, describe, it } from "@effect/vitest"
import { consoleAnswer } from "../../../src/desk/explorer/console/consoleAnswer.ts"
import { consoleLake } from "./consoleLake.ts"

const place = await consoleLake()
afterAll(place.remove)
const files = place.files()

/** What the process of a query would print; here it runs in the test's own. */
const printed = async (sql: string) => {
  let text = ""
  for await (const lines of consoleAnswer({ own: null, lake: place.lake, sql, shape: "texts", most: null }))
    text += lines
  return text
}

/** What an attacker tries in order to do more than read, and what the answer says. */
const attacks: ReadonlyArray<readonly [sql: string, says: RegExp]> = [
  ["from read_csv('/etc/passwd')", /cannot call read_csv/],
  ["from pragma_database_list", /cannot call pragma_database_list/],
  ["select path from duckdb_databases", /cannot call duckdb_databases/],
  ["select hex(sql) from duckdb_views()", /cannot call duckdb_views/],
  ["select hex(sql) from sqlite_master", /cannot call sqlite_master/],
  ["select hex(definition) from pg_views", /cannot call pg_views/],
  ['select hex(view_definition) from information_schema."VIEWS"', /cannot call information_schema.views/],
  ["select hex(macro_definition) from duckdb_functions()", /cannot call duckdb_functions/],
  ["select hex(prosqlbody) from pg_catalog.pg_proc", /cannot call pg_proc/],
  ["select hex(setting) from pg_settings", /cannot call pg_settings/],
  ["select hex(pg_get_viewdef(1))", /cannot call pg_get_viewdef/],
  ["select current_setting('allowed_directories')", /cannot call current_setting/],
  ["from read_text('/etc/passwd')", /cannot call read_text/],
  ["from read_blob('/proc/self/environ')", /cannot call read_blob/],
  ["from '/etc/passwd'", /does not exist/],
  ["from '/etc/hosts.csv'", /disabled by configuration/],
  ["from 'HOME/current.json'", /disabled by configuration/],
  ["from 'HOME/snapshots/../current.json'", /disabled by configuration/],
  ["from 'HOME/own/imports/1/cards.parquet'", /disabled by configuration/],
  ["from 'http://127.0.0.1:1/x.parquet'", /disabled by configuration/],
  ["select (select content from read_text('HOME/current.json'))", /cannot call read_text/],
  ["with a as (from glob('/etc/*')) select * from cards, a", /cannot call glob/],
  ["from cards where exists (from sniff_csv('/etc/passwd'))", /cannot call sniff_csv/],
  ["from parquet_metadata('HOME/snapshots/prices.parquet')", /cannot call parquet_metadata/],
  ["copy (select 1) to '/tmp/x.csv'", /Only reading/],
  ["copy cards to 'HOME/snapshots/x.csv'", /Only reading/],
  ["explain analyze copy cards to 'HOME/snapshots/x.csv'", /Only reading/],
  ["export database 'HOME/snapshots/all'", /Only reading/],
  ["import database 'HOME'", /Only reading/],
  ["attach 'HOME/snapshots/y.duckdb'", /Only reading/],
  ["attach ':memory:' as m", /Only reading/],
  ["detach lake", /Only reading/],
  ["install httpfs", /Only reading/],
  ["load httpfs", /Only reading/],
  ["set memory_limit = '10GB'", /Only reading/],
  ["set enable_external_access = true", /Only reading/],
  ["set lock_configuration = false", /Only reading/],
  ["reset memory_limit", /Only reading/],
  ["pragma memory_limit = '10GB'", /Only reading/],
  ["pragma enable_profiling", /Only reading/],
  ["call enable_logging(storage := 'file', storage_path := 'HOME/snapshots/log')", /Only reading/],
  ["from enable_logging(storage := 'file', storage_path := 'HOME/snapshots/log')", /cannot call enable_logging/],
  ["from enable_profiling()", /cannot call enable_profiling/],
  ["from query('copy cards to ''HOME/snapshots/x.csv''')", /cannot call query/],
  ["from query_table('cards')", /cannot call query_table/],
  ["from json_execute_serialized_sql(json_serialize_sql('from cards'))", /cannot call json_execute_serialized_sql/],
  ["from \"read_text\"('/etc/passwd')", /cannot call read_text/],
  ["from READ_TEXT('/etc/passwd')", /cannot call read_text/],
  ["from duckdb_secrets()", /cannot call duckdb_secrets/],
  ["from duckdb_settings()", /cannot call duckdb_settings/],
  ["select getenv('HOME')", /does not exist/],
  ["create table stolen as from cards", /Only reading/],
  ["create temp table t as from range(1000000000)", /Only reading/],
  ["create secret (type s3)", /Only reading/],
  ["insert into cards from cards", /Only reading/],
  ["update cards set low = 0", /Only reading/],
  ["delete from cards", /Only reading/],
  ["drop table cards", /Only reading/],
  ["begin", /Only reading/],
  ["prepare a as from cards", /Only reading/],
  ["checkpoint", /Only reading/],
  ["select 1; drop table cards", /Only reading/],
  ["select 1) to 'HOME/snapshots/x.csv' --", /syntax error/],
  ["select 1)) as x; copy cards to 'HOME/snapshots/x.csv'; --", /syntax error/],
  ["", /empty/],
  [" ; -- nothing", /empty/]
]

describe("the console", () => {
  for (const [sql, says] of attacks) {
    it(`refuses, and changes no file: ${sql}`, async () => {
      const answer = await printed(sql.replaceAll("HOME", place.home))
      assert.match(answer, /^refused ".*\n$|^columns .*\nrefused ".*\n$/)
      assert.match(answer, says)
      assert.deepStrictEqual(place.files(), files)
    })
  }
})

/** Queries whose answers would have the home's path, in every form that a query gives it easily. */
const revealing = [
  "pivot (select sql from duckdb_views() where view_name = 'prices') on sql using count(*)",
  "from 'HOME/current.json'",
  "from 'HOME//nothing/../current.json'"
]

for (const sql of revealing)
  it(`the console's answer has no path of the home: ${sql}`, async () => {
    const answer = await printed(sql.replaceAll("HOME", place.home))
    const plain = decodeURIComponent(answer).replaceAll(/\\+/g, "").replaceAll(/\/+/g, "/")
    assert.notInclude(plain, place.home)
    assert.notMatch(answer, /Parser|undefined/)
  })

it("the console still answers after all of this", async () => {
  assert.match(await printed("from cards"), /^columns .*\n(row .*\n){2}end null\n$/)
})
