import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { Effect, Number as Sum } from "effect"
import { compactMonth, monthsToCompact, openNights } from "../../src/store/lake/history/compactMonth.ts"
import { withPublications } from "../../src/store/home/Home.ts"
import { lockHome } from "../../src/store/home/lock/lockHome.ts"
import type { Night } from "../../src/store/lake/history/nights.ts"
import { publish } from "../../src/store/lake/publish/publish.ts"
import { tidyHistory } from "../../src/store/lake/history/tidyHistory.ts"
import { showing } from "../../src/night/run/showing.ts"
import { seedNight, startSandbox } from "./program.ts"
import { bench, dayMillis, line, median, used } from "./report.ts"
import { inHome, yearOfNights } from "./yearOfNights.ts"
import { idOf } from "../store/lake/invented.ts"

/**
 * `npm run bench:history [PRODUCTS] [NIGHTS]`: how long an analyst waits after a year of made-up
 * nights, compacted as `nightly` does it, five still in their own files. A figure is a median of five.
 */
const products = Number(process.argv[2] ?? 100_000)
const nights = Number(process.argv[3] ?? 365)
const game = "synthetic-1"
const now = Date.parse("2026-01-20T12:00:00Z")
const first = Date.parse("2026-01-20T03:00:00Z") - nights * dayMillis
const inOwnFiles = 19 % openNights

const makeHome = async (home: string) => {
  const seed = await seedNight(await startSandbox(products), game, join(home, "seed"))
  const year = join(home, "year")
  const done = Effect.gen(function* () {
    const current = yield* yearOfNights(seed, first, nights)
    const lock = yield* lockHome("bench", idOf("bench"))
    // What the night that last compacted had published.
    const until = withPublications({ games: {}, history: [] }, current.history.slice(0, -inOwnFiles))
    const plans = yield* monthsToCompact(until, game).pipe(showing(now))
    const startedAt = performance.now()
    const parts = yield* Effect.forEach(plans, (plan) => compactMonth(idOf("bench"), plan))
    yield* publish(idOf("bench"), current, lock)
    yield* tidyHistory(idOf("bench"), current)
    const took = (performance.now() - startedAt) / 1000 / parts.length
    line("compact, a month with its share of the publication", `${took.toFixed(1)} s`)
    const prices = (tables: Night["tables"]) => tables["source_prices"] ?? { rows: 0, sizeBytes: 0 }
    const bytesARow = (all: ReadonlyArray<Night["tables"]>) =>
      (Sum.sumAll(all.map((one) => prices(one).sizeBytes)) / Sum.sumAll(all.map((one) => prices(one).rows))).toFixed(2)
    const own = bytesARow(plans.flatMap((plan) => plan.nights.map(({ tables }) => tables)))
    line(
      "bytes a price row: own files; months",
      `${own}; ${bytesARow(parts.map(({ part }) => part.tables))}`,
      "wanted 9"
    )
  })
  await inHome(year, done)
  return join(year, "lake.duckdb")
}

const ask = async (lake: string) => {
  const instance = await DuckDBInstance.create(lake, { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  const timed = async (name: string, sql: string, wanted = "") => {
    const took: Array<number> = []
    for (let round = 0; round < 5; round++) {
      took.push((await used(async () => (await connection.runAndReadAll(sql)).currentRowCount)).seconds)
    }
    line(
      name,
      `${(median(took) * 1000).toFixed(0)} ms (the first time ${((took[0] ?? NaN) * 1000).toFixed(0)})`,
      wanted
    )
  }
  const product = (
    await connection.runAndReadAll("select median(product_id)::bigint from products")
  ).getRowsJson()[0]?.[0]
  const materialized = (time: string) => `create or replace temp table as_of as from prices_at('${time}')`
  await timed("one product's year, price_series", `from price_series(${String(product)})`, "wanted 50 ms")
  await timed(
    "one product's closed months alone, price_series",
    `from price_series(${String(product)}, to_day := '2025-12-31')`
  )
  await timed("one product's year, its rows", `from source_price_history where product_id = ${String(product)}`)
  await timed("top movers of 7 days", "from movers(days := 7) limit 100", "wanted 300 ms")
  await timed(
    "all products as of three nights ago, every column",
    materialized("2026-01-17T12:00:00Z"),
    "wanted 200 ms"
  )
  await timed("all products as of ten months ago, every column", materialized("2025-03-20"), "wanted 200 ms")
  await timed("all products as of ten months ago, their mean", "select avg(market_value) from prices_at('2025-03-20')")
  await timed(
    "monthly average per expansion over the year",
    `select p.expansion_id, h.month, avg(h.market_value)
     from source_price_history h join products p using (game_id, product_id) group by all`,
    "wanted 4000 ms"
  )
  connection.closeSync()
  instance.closeSync()
}

await bench(`${products.toLocaleString("en-US")} products, two sources, ${nights} nights, 30 % of the prices move a night`, async (folder) =>
  ask(await makeHome(folder)))
