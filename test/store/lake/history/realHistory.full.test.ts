import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { runPrune } from "../../../../src/night/run/runPrune.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { deploymentsOf, hasRealCatalogue, linesOf, realCatalogue } from "../../../pipelines/realCatalogue.ts"
import { lakePrices, wirePrices } from "../../../pipelines/wirePrices.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { lakeRows, type Row } from "../tableRows.ts"
import { live } from "../../../support/suite.ts"

const gameId = "riftbound"
const day = 24 * 3600 * 1000

const plain = (decimal: unknown) => String(decimal).replace(/\.?0+$/, "")
const sorted = (pairs: ReadonlyArray<readonly [string, string]>) =>
  pairs.map(([place, value]) => `${place} ${plain(value.includes(".") ? value : `${value}.0`)}`).sort()

const sumOf = (columns: string, rows: string) =>
  `select count(*) as n, coalesce(sum(hash(${columns})::hugeint), 0)::varchar as content from ${rows}`

/** A table of the current night, and the macro that gives its rows later. */
const tables = [
  ["products", "products_at"],
  ["expansions", "expansions_at"],
  ["external_ids", "external_ids_at"],
  ["source_prices", "prices_at"],
  ["marketplace_prices", "marketplace_prices_at"]
] as const

/**
 * Runs a night for every deployment of a real game, one a day over two months,
 * and keeps a sum over all fields of each night's rows.
 */
const daily = Effect.fnUntraced(function* (gameId: string) {
  const { inHome, night, sandbox, services } = yield* marketplaceAndHome({ catalogue: realCatalogue })
  const deployments = deploymentsOf(gameId).map(({ date }, index) => ({
    date,
    at: Date.parse("2026-08-27T06:00:00Z") + index * day
  }))
  const ask = (sql: string) => inHome(lakeRows(sql))
  const columnsOf = new Map<string, string>()
  const kept = new Map<string, ReadonlyArray<Row>>()
  for (const [index, { at }] of deployments.entries()) {
    if (index > 0) yield* sandbox.deploy(gameId)
    const report = yield* night(gameId).pipe(showing(at))
    assert.strictEqual(report.verdict, "published")
    for (const [table] of tables) {
      const names = yield* ask(
        `select column_name as name from (describe ${table}) where name not in ('price_extra', 'position', 'is_listed')`
      )
      const columns = names.map(({ name }) => String(name)).join(", ")
      columnsOf.set(table, columns)
      kept.set(`${table} ${index}`, yield* ask(sumOf(columns, `(select distinct ${columns} from ${table})`)))
    }
  }
  const later = Date.parse("2026-10-02T06:00:00Z")
  return {
    deployments,
    ask,
    /** Asserts that the history gives every night's rows as they were read. */
    nightsAnswer: Effect.gen(function* () {
      for (const [index, { at }] of deployments.entries()) {
        for (const [table, question] of tables) {
          const then = `${question}('${new Date(at + day / 2).toISOString()}')`
          const found = yield* ask(sumOf(columnsOf.get(table) ?? "", then))
          assert.deepStrictEqual(found, kept.get(`${table} ${index}`), `${table} of night ${index}`)
        }
      }
    }),
    compact: runCompact([]).pipe(showing(later), Effect.provideContext(services)),
    prune: runPrune({ days: null, last: 1, monthly: false }, false).pipe(
      showing(later + day),
      Effect.provideContext(services)
    )
  }
})

live.skipIf(!hasRealCatalogue)(
  "the history of a real game has for every day what that day's file has, and the feed's own percentages agree with it",
  function* () {
    const { ask, compact, deployments, nightsAnswer, prune } = yield* daily(gameId)
    const daysAnswer = Effect.gen(function* () {
      for (const { at, date } of deployments) {
        const time = new Date(at + day / 2).toISOString()
        const wire = linesOf(gameId, date, "products")
        const prices = yield* ask(`from prices_at('${time}')`)
        assert.deepStrictEqual(sorted(lakePrices(prices)), sorted(wire.flatMap(wirePrices)), date)
        const products = yield* ask(
          `select product_id, name, name_slug, expansion_id, print_number, rarity from products_at('${time}')`
        )
        const records = wire.map((line) => JSON.parse(line))
        assert.deepStrictEqual(
          products.map((row) => Object.values(row).map(String).join("|")).sort(),
          records
            .map(({ expansionId = null, id, name, nameSlug, printNumber = null, rarity = null }) =>
              [id, name, nameSlug, expansionId, printNumber, rarity].map(String).join("|")
            )
            .sort(),
          date
        )
      }
    })
    // The first night of September compacted August, its seventh one September: nothing is left to do.
    assert.deepStrictEqual((yield* compact).games, [])
    yield* daysAnswer
    yield* nightsAnswer

    const pricesOf = (date: string) => new Map(linesOf(gameId, date, "products").flatMap(wirePrices))
    const now = pricesOf(deployments.at(-1)?.date ?? "")
    const before = pricesOf(deployments.at(-8)?.date ?? "")
    const moved = [...now].flatMap(([place, price]) => {
      const old = Number(before.get(place) ?? price)
      const isMove = place.endsWith("/market_value") && old !== Number(price) && Math.max(old, Number(price)) >= 1
      return isMove ? [`${place.replace("/market_value", "")} ${old} ${Number(price)}`] : []
    })
    const movers = yield* ask("select product_id, finish, source, old, new from movers(days := 7)")
    assert.isAbove(moved.length, 500)
    assert.deepStrictEqual(
      movers
        .map(
          (row) => `${row["product_id"]}/${row["finish"]}/${row["source"]} ${plain(row["old"])} ${plain(row["new"])}`
        )
        .sort(),
      moved.sort()
    )

    const [checked] = yield* ask(
      "select count(*)::integer as n, count(*) filter (not agrees)::integer as apart from price_check(tolerance := 0.02) where window_days in (1, 7)"
    )
    assert.isAbove(Number(checked?.["n"]), 3000)
    assert.strictEqual(checked?.["apart"], 0)

    assert.deepStrictEqual((yield* compact).games, [])
    assert.strictEqual((yield* prune).games[0]?.removed.length, deployments.length - 2)
    yield* daysAnswer
    yield* nightsAnswer
  },
  300_000
)
