import { DuckDBInstance } from "@duckdb/node-api"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { trustSql } from "../../src/store/lake/trust/publishTrust.ts"
import { deploymentsOf, realCatalogue } from "../pipelines/realCatalogue.ts"
import { deploy, runProgram, settingsOf, startSandboxOf } from "./program.ts"
import { bench, line } from "./report.ts"

/**
 * `npm run bench:trust [GAME]…`: how many of the moves that `price_trust` calls jumps came back within seven readings,
 * and how many of all others. Each deployment of the real catalogues is a night; then the same game is backfilled, and
 * each day of the marketplace's own history counts as a reading.
 */
const games = process.argv.slice(2)
const asTime = readFileSync(new URL("../../src/store/lake/macros/as_time.sql", import.meta.url), "utf8")

const makeHome = async (home: string, gameId: string) => {
  const sandbox = await startSandboxOf(realCatalogue)
  const settings = settingsOf(sandbox, home)
  try {
    for (let night = 0; night < deploymentsOf(gameId).length; night++) {
      if (night > 0) await deploy(sandbox, gameId)
      await runProgram(["nightly", gameId, "--json"], settings)
    }
    await runProgram(["backfill", gameId, "--json"], settings)
    await runProgram(["nightly", gameId, "--json"], settings)
  } finally {
    sandbox.stop()
  }
}

/** Prices that count as readings, by what they are called. */
const sources = {
  "nights of ours":
    "select snapshot, seen_at, * exclude (snapshot, seen_at) from lake.source_price_history where origin = 'night'",
  "days backfilled": "select day::varchar as snapshot, day::timestamptz as seen_at, * from lake.backfilled_prices"
}

/** A move is back where a later price lies nearer to the old one than to the new one. */
const counted = `select coalesce(j.middle is not null, false) as is_doubted, count(*)::integer as moves,
  count(*) filter (len(list_filter(p.later, lambda value: abs(ln(value / p.old)) < abs(ln(p.market_value / p.old)) / 2)) > 0)::integer as returned
from placed p left join judged j using (game_id, seen_at, product_id, finish, source)
where p.old <> p.market_value and len(p.later) > 0 group by all order by all`

const placed = `create table placed as
select game_id, seen_at, product_id, finish, source, market_value, lag(market_value) over dated as old,
  list(market_value) over (dated rows between 1 following and 7 following) as later
from files.source_prices where market_value > 0
window dated as (partition by game_id, product_id, finish, source, currency order by seen_at)`

const measure = async (lake: string, rows: string) => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  const made = [
    `set TimeZone = 'UTC'; attach '${lake.replaceAll("'", "''")}' as lake (read_only); create schema files`,
    `create table files.source_prices as ${rows}`,
    "create table readings as select distinct game_id, snapshot, seen_at, false as is_confirmation from files.source_prices",
    "create table products as from lake.products",
    "create view product_history as select *, '-infinity'::timestamptz as valid_from, null::timestamptz as valid_to from products",
    "create table reused_ids as from lake.reused_ids",
    asTime,
    ...trustSql.slice(0, 2),
    placed,
    "create table judged as from trust.steps('1970-01-01')"
  ]
  for (const sql of made) await connection.run(sql)
  const readings = await connection.runAndReadAll("select distinct seen_at::varchar from readings order by 1")
  for (const [at] of readings.getRows())
    await connection.run(`insert into judged from trust.steps('${at}') where seen_at = '${at}'`)
  const found = (await connection.runAndReadAll(counted)).getRowObjectsJS()
  connection.closeSync()
  return found
}

const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

await bench("trust", async (folder) => {
  for (const gameId of games.length > 0 ? games : ["riftbound", "magic"]) {
    const home = join(folder, gameId)
    await makeHome(home, gameId)
    for (const [name, rows] of Object.entries(sources))
      for (const { is_doubted, moves, returned } of await measure(join(home, "lake.duckdb"), rows))
        line(
          `${gameId}, ${name}, ${is_doubted === true ? "doubted" : "trusted"}`,
          `${String(moves)} moves, ${String(returned)} came back (${share(Number(returned), Number(moves))})`
        )
  }
})
