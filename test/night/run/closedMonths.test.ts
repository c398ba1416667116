import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runCompact } from "../../../src/night/run/runCompact.ts"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { runRollback } from "../../../src/night/run/runRollback.ts"
import { Lake, sqlText } from "../../../src/store/lake/duckdb/Lake.ts"
import { listParts } from "../../../src/store/home/Manifest.ts"
import { verifyRows } from "../../../src/store/lake/history/compactMonth.ts"
import { card, expansion, gameId, idOf } from "../../store/lake/invented.ts"
import { showing } from "../../../src/night/run/showing.ts"
import { tinyMarketplace, type TinyHome } from "../../safety/tinyNights.ts"
import { publishNights } from "../../warehouse/publishNights.ts"
import { failureOf, live, shared, suite } from "../../support/suite.ts"

const time = (day: string) => Date.parse(`2026-${day}T03:00:00Z`)

const priced = (id: number, low: number) =>
  card(id, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low, marketValue: low + 1 } } } })
const deployments = Array.from({ length: 8 }, (_, day) => ({
  expansions: [expansion(1)],
  products: Array.from({ length: 40 }, (_, index) => priced(day + index + 1, 1 + ((day * 7 + index) % 13)))
}))

/** Flips one bit of a file's values; the function that it returns undoes this. */
const damage = (file: string) => {
  const bytes = readFileSync(file)
  const turned = Buffer.from(bytes)
  turned[60] = (bytes[60] ?? 0) ^ 1
  writeFileSync(file, turned)
  return () => writeFileSync(file, bytes)
}

const idOfDay = (day: string) => idOf(`2026${day.replace("-", "")}T030000000Z-0000`)

/** A home with a night on each of these days, and the nights that follow in its marketplace. */
const nightsOn = Effect.fnUntraced(function* (...days: ReadonlyArray<string>) {
  const { deploy, newHome } = yield* tinyMarketplace({ days: deployments.slice(days.length - 1) })
  const home = yield* newHome
  const completedAt = (day: string) => new Date(time(day)).toISOString()
  const nights = days.map((day, at) => [idOfDay(day), { ...deployments[at], completedAt: completedAt(day) }] as const)
  yield* publishNights(nights).pipe(Effect.provideContext(home.services))
  const next = Effect.fnUntraced(function* (day: string, isDeployed = true) {
    if (isDeployed) yield* deploy
    return (yield* home.night.pipe(showing(time(day)))).games[0]?.verdict
  })
  const published = Effect.map(home.current, ({ games }) => games[gameId]?.published ?? [])
  /** Whether each published night has a price file of its own. */
  const ownPrices = Effect.map(published, (nights) =>
    nights.map((night) => existsSync(join(home.paths.snapshot(gameId, night), "source_prices.parquet")))
  )
  return { home, next, ownPrices, published: days.map(idOfDay) }
})

const compact = (home: TinyHome, day: string, ...games: ReadonlyArray<string>) =>
  runCompact(games).pipe(showing(time(day)), Effect.provideContext(home.services))
const parts = (home: TinyHome) => listParts(gameId).pipe(Effect.provideContext(home.services))
const history = `select snapshot, seen_at::varchar as seen_at, count(*)::int as n, bit_xor(hash(product_id, finish, source, low, mid, market_value))::varchar as content
  from source_price_history group by all order by all`

/** How many Parquet files a query opens. */
const filesRead = Effect.fnUntraced(function* (home: TinyHome, sql: string) {
  const [plan] = yield* home.query(`explain (analyze, format json) ${sql}`)
  const counts = [...String(plan?.["explain_value"]).matchAll(/"Total Files Read": "(\d+)"/g)]
  return counts.reduce((sum, match) => sum + Number(match[1]), 0)
})

describe("a month that has closed", () => {
  live(
    "is compacted by the next night that publishes; its nights' own files stay while a rollback may need them or it is damaged, and every night answers as before",
    function* () {
      const { home, next, ownPrices } = yield* nightsOn("04-10", "05-01", "05-20")
      const before = yield* home.query(history)
      assert.deepStrictEqual(yield* parts(home), [])
      yield* compact(home, "05-20")
      const [april] = yield* parts(home)
      // Another month is damaged, which May does not rest on.
      const mendApril = damage(join(april?.folder ?? "", "source_prices.parquet"))
      assert.strictEqual(yield* next("06-02"), "published")
      mendApril()
      const may = (yield* parts(home)).at(-1)
      assert.deepStrictEqual([may?.part.month, may?.part.nights.length], ["2026-05", 2])
      assert.deepStrictEqual(yield* ownPrices, [false, false, true, true])
      assert.deepStrictEqual((yield* home.query(history)).slice(0, 3), before)

      const mendMay = damage(join(may?.folder ?? "", "source_prices.parquet"))
      assert.strictEqual(yield* next("06-03"), "published")
      assert.deepStrictEqual(yield* ownPrices, [false, false, true, true, true])
      mendMay()

      // A night without news is a reading, too; the series shows it after the next publication.
      assert.strictEqual(yield* next("06-04", false), "unchanged")
      assert.strictEqual(yield* next("06-06"), "published")
      assert.deepStrictEqual(yield* ownPrices, [false, false, false, true, true, true])
      assert.deepStrictEqual((yield* home.query(history)).slice(0, 3), before)
      const series = yield* home.query(
        "select day::varchar as day, state from price_series(10) where day >= date '2026-06-01' order by day"
      )
      assert.deepStrictEqual(
        series.map(({ day, state }) => `${String(day)} ${String(state)}`),
        ["2026-06-01 not read", ...["02", "03", "04"].map((day) => `2026-06-${day} priced`)].concat(
          "2026-06-05 not read",
          "2026-06-06 priced"
        )
      )
    }
  )

  live.full(
    "is compacted on demand, once; a query opens one file per month, and no file of a night that it does not ask for",
    function* () {
      const { home, published } = yield* nightsOn("04-10", "04-20", "05-01", "05-02", "05-03")
      assert.deepStrictEqual((yield* compact(home, "05-03")).games[0]?.months, ["2026-04"])
      // The nights of May still have files of their own.
      assert.strictEqual(yield* filesRead(home, "select count(*) from prices_at('2026-05-02T12:00:00Z')"), 2)
      // It looks for spikes in the nights of May 1 to 3; April's file is opened once a scan, as above.
      assert.strictEqual(yield* filesRead(home, "from movers(days := 1, min_price := 0)"), 3 + 1 + 2 + 1)
      const before = yield* home.query(history)
      const moved = yield* runDiff({ gameId, from: published[0] ?? "", to: published[2] ?? "" }).pipe(
        Effect.provideContext(home.services)
      )
      assert.deepStrictEqual((yield* compact(home, "05-31")).games, [])
      const done = yield* compact(home, "06-01")
      const [game] = done.games
      assert.deepStrictEqual([game?.gameId, game?.months, game?.nights], [gameId, ["2026-05"], 3])
      assert.deepStrictEqual(yield* home.query(history), before)
      assert.deepStrictEqual((yield* compact(home, "06-01", gameId)).games, [])
      assert.include(yield* failureOf(compact(home, "06-01", "chess")), `no game chess. It has: ${gameId}`)
      const again = yield* runDiff({ gameId, from: published[0] ?? "", to: published[2] ?? "" }).pipe(
        Effect.provideContext(home.services)
      )
      assert.deepStrictEqual(again, moved)

      assert.strictEqual(yield* filesRead(home, "select count(*) from prices_at('2026-04-15')"), 2)
      assert.strictEqual(yield* filesRead(home, "select count(*) from prices_at('2026-05-03T12:00:00Z')"), 2)
      assert.strictEqual(yield* filesRead(home, "select count(*) from marketplace_prices_at('2026-04-15')"), 2)
      // Four scans: the old prices, those since, and around the older night those since and before.
      assert.strictEqual(yield* filesRead(home, "from movers(days := 13, min_price := 0)"), 4 * 2)
      assert.strictEqual(yield* filesRead(home, "select count(*) from source_price_history where month = '2026-05'"), 1)

      // A rollback brings back a compacted snapshot row by row.
      const rows = "select * from source_prices order by product_id, finish, source"
      const [wanted] = yield* home.query(
        `select bit_xor(hash(product_id, finish, source, currency, low))::varchar as content from source_price_history where snapshot = '${published[1]}'`
      )
      yield* runRollback({ gameId, wanted: published[1] ?? "", why: null }).pipe(Effect.provideContext(home.services))
      const [found] = yield* home.query(
        `select bit_xor(hash(product_id, finish, source, currency, low))::varchar as content from (${rows})`
      )
      assert.deepStrictEqual(found, wanted)
    }
  )
})

/** Two nights in May. The second test damages their home for good. */
const TwoNights = shared("TwoNights", function* () {
  return yield* nightsOn("05-10", "05-20")
})

suite(TwoNights.layer, "nothing is removed", (it) => {
  it("when an original file is damaged, or the new part differs from it in a single value", function* () {
    const { home, published } = yield* TwoNights
    const file = join(home.paths.snapshot(gameId, published[0] ?? idOf("")), "source_prices.parquet")
    const before = yield* home.query(history)
    const mend = damage(file)
    assert.include(yield* failureOf(compact(home, "06-01")), `${file} is damaged`)
    mend()
    assert.deepStrictEqual([yield* parts(home), yield* home.query(history)], [[], before])

    const differs = Effect.gen(function* () {
      const session = yield* (yield* Lake).session
      const copy = join(home.root, "flipped.parquet")
      yield* session.run(
        "Open",
        `create temp view source_prices as select *, 'night' as snapshot from read_parquet(${sqlText(file)}, hive_partitioning = false)`
      )
      const verified = (rows: string) =>
        session
          .run("Write", `copy (${rows}) to ${sqlText(copy)} (format parquet)`)
          .pipe(
            Effect.andThen(verifyRows(session, { gameId, month: "2026-05", table: "source_prices", file: copy })),
            failureOf
          )
      const same = yield* verified("from source_prices order by low desc")
      const flipped =
        "select * replace (if(product_id = 7, low + 0.0001, low)::decimal(18, 4) as low) from source_prices"
      return [same, yield* verified(flipped), yield* verified("from source_prices limit 39")] as const
    }).pipe(Effect.scoped, Effect.provideContext(home.services))
    const [same, flipped, short] = yield* differs
    assert.strictEqual(same, "done")
    const differing =
      /source_prices for 2026-05 of hollowmere does not contain what was read on night\. Nothing was removed/
    for (const failure of [flipped, short]) assert.match(failure, differing)
  })

  it("and no night fails when a month cannot be compacted; compacting names a file that is gone", function* () {
    const { home, next, published } = yield* TwoNights
    const folder = home.paths.snapshot(gameId, published[0] ?? idOf(""))
    const file = join(folder, "marketplace_prices.parquet")
    damage(file)
    assert.strictEqual(yield* next("06-02"), "published")
    assert.deepStrictEqual(yield* parts(home), [])
    rmSync(file)
    const lost = yield* failureOf(compact(home, "06-03"))
    assert.match(lost, /marketplace_prices\.parquet is damaged: it is missing.*Restore it from a backup/)
  })
})
