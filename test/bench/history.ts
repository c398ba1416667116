import { readdirSync, rmSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { DuckDBInstance } from "@duckdb/node-api"
import { Effect, Layer, Number as Sum } from "effect"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { compactMonth } from "../../src/store/lake/history/compactMonth.ts"
import { withPublications } from "../../src/store/home/Home.ts"
import { lockHome } from "../../src/store/home/lock/lockHome.ts"
import type { Night } from "../../src/store/lake/history/nights.ts"
import { monthsToCompact, openNights } from "../../src/store/lake/history/planMonths.ts"
import { publish } from "../../src/store/lake/publish/publish.ts"
import { tidyHistory } from "../../src/store/lake/history/tidyHistory.ts"
import { showing } from "../../src/night/run/showing.ts"
import { runProgram, startSandbox } from "./program.ts"
import { yearOfNights } from "./yearOfNights.ts"
import { idOf } from "../store/lake/invented.ts"

/**
 * `npm run bench:history [PRODUCTS] [NIGHTS]`: how long an analyst waits after a year of made-up
 * nights, compacted as `nightly` does it, five still in their own files. A figure is a median of five.
 */
const products = Number(process.argv[2] ?? 100_000)
const nights = Number(process.argv[3] ?? 365)
const game = "synthetic-1"
const day = 24 * 3600 * 1000
const now = Date.parse("2026-01-20T12:00:00Z")
const first = Date.parse("2026-01-20T03:00:00Z") - nights * day
const inOwnFiles = 19 % openNights

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
const line = (name: string, figure: string, wanted: string) =>
  console.log(`${name.padEnd(58)} ${figure.padEnd(34)} ${wanted}`)

const makeHome = async (home: string) => {
  const sandbox = await startSandbox(products)
  const seed = join(home, "seed")
  await runProgram(["nightly", "--json"], {
    CARDLAKE_URL: sandbox.url,
    CARDLAKE_API_KEY: sandbox.key,
    CARDLAKE_HOME: seed
  })
  sandbox.stop()
  const folder = join(seed, "snapshots", `game=${game}`)
  const year = join(home, "year")
  const services = lakeServices({ CARDLAKE_HOME: year }).pipe(Layer.provideMerge(NodeServices.layer))
  const done = Effect.gen(function* () {
    const current = yield* yearOfNights(join(folder, readdirSync(folder)[0] ?? ""), first, nights)
    const lock = yield* lockHome("bench", idOf("bench"))
    // What the night that last compacted had published.
    const until = withPublications({ games: {}, history: [] }, current.history.slice(0, -inOwnFiles))
    const plans = yield* monthsToCompact(until, game).pipe(showing(now))
    const startedAt = performance.now()
    const parts = yield* Effect.forEach(plans, (plan) => compactMonth(idOf("bench"), plan))
    yield* publish(idOf("bench"), current, lock)
    yield* tidyHistory(idOf("bench"), current)
    const took = (performance.now() - startedAt) / 1000 / parts.length
    line("compact, a month with its share of the publication", `${took.toFixed(1)} s`, "")
    const prices = (tables: Night["tables"]) => tables["source_prices"] ?? { rows: 0, sizeBytes: 0 }
    const bytesARow = (all: ReadonlyArray<Night["tables"]>) =>
      (Sum.sumAll(all.map((one) => prices(one).sizeBytes)) / Sum.sumAll(all.map((one) => prices(one).rows))).toFixed(2)
    const own = bytesARow(plans.flatMap((plan) => plan.nights.map(({ tables }) => tables)))
    line(
      "bytes a price row: own files; months",
      `${own}; ${bytesARow(parts.map(({ part }) => part.tables))}`,
      "wanted 9"
    )
  }).pipe(Effect.scoped)
  await Effect.runPromise(done.pipe(Effect.provide(services)))
  return join(year, "lake.duckdb")
}

const ask = async (lake: string) => {
  const instance = await DuckDBInstance.create(lake, { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  const timed = async (name: string, sql: string, wanted: string) => {
    const took: Array<number> = []
    for (let round = 0; round < 5; round++) {
      took.push(await seconds(async () => (await connection.runAndReadAll(sql)).currentRowCount))
    }
    const median = took.toSorted((a, b) => a - b)[2] ?? NaN
    line(name, `${(median * 1000).toFixed(0)} ms (the first time ${((took[0] ?? NaN) * 1000).toFixed(0)})`, wanted)
  }
  const product = (
    await connection.runAndReadAll("select median(product_id)::bigint from products")
  ).getRowsJson()[0]?.[0]
  const materialized = (time: string) => `create or replace temp table as_of as from prices_at('${time}')`
  await timed("one product's year, price_series", `from price_series(${String(product)})`, "wanted 50 ms")
  await timed(
    "one product's closed months alone, price_series",
    `from price_series(${String(product)}, to_day := '2025-12-31')`,
    ""
  )
  await timed("one product's year, its rows", `from source_price_history where product_id = ${String(product)}`, "")
  await timed("top movers of 7 days", "from movers(days := 7) limit 100", "wanted 300 ms")
  await timed(
    "all products as of three nights ago, every column",
    materialized("2026-01-17T12:00:00Z"),
    "wanted 200 ms"
  )
  await timed("all products as of ten months ago, every column", materialized("2025-03-20"), "wanted 200 ms")
  await timed(
    "all products as of ten months ago, their mean",
    "select avg(market_value) from prices_at('2025-03-20')",
    ""
  )
  await timed(
    "monthly average per expansion over the year",
    `select p.expansion_id, h.month, avg(h.market_value)
     from source_price_history h join products p using (game_id, product_id) group by all`,
    "wanted 4000 ms"
  )
  connection.closeSync()
  instance.closeSync()
}

const home = mkdtempSync(join(tmpdir(), "cardlake-bench-"))
try {
  console.log(
    `${products.toLocaleString("en-US")} products, two sources, ${nights} nights, 30 % of the prices move a night\n`
  )
  await ask(await makeHome(home))
} finally {
  rmSync(home, { recursive: true, force: true })
}
