import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type FormatName, formatNames } from "../../src/warehouse/formats.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { asUsual, didTo, exportTo, temporaryFolder } from "../warehouse/FourNights.ts"
import { Backfilled, valuesOf } from "./Backfilled.ts"
import { DuckDBInstance } from "@duckdb/node-api"
import { dbtFiles } from "../../src/warehouse/engines/dbtProject.ts"
import { tablesInDrop } from "../../src/warehouse/engines/dropLoads.ts"
import { loadScript } from "../../src/warehouse/engines/loadScript.ts"
import { drawnLines, columnOf, explore, textOf } from "../desk/explorer/explored.ts"
import { compiledModel } from "../warehouse/compiledModel.ts"
import { gameId } from "../store/lake/invented.ts"
import { tried } from "../tried.ts"
import { suite } from "../support/suite.ts"

const pastOf = (exported: Effect.Success<ReturnType<typeof exportTo>>) =>
  didTo(exported).filter((did) => did.startsWith("backfill"))

/** Asserts that a drop has the five days of the backfill once earlier days were asked for, and each once. */
const exportedAs = Effect.fnUntraced(function* (format: FormatName) {
  const { home } = yield* Backfilled
  const inHome = Effect.provideContext(home.services)
  const folder = yield* temporaryFolder
  assert.deepStrictEqual(pastOf(yield* inHome(exportTo(folder, { ...asUsual, format }))), [])
  assert.deepStrictEqual(pastOf(yield* inHome(exportTo(folder))), [
    ...[1, 2, 3, 4, 5].map((day) => `backfilled_prices 2026-05-0${day} added`),
    "backfills 2026-05-06 added"
  ])
  assert.deepStrictEqual(pastOf(yield* inHome(exportTo(folder, asUsual))), [])
  assert.deepStrictEqual((yield* inHome(verifyDrop(folder))).faults, [])
})

suite(Backfilled.layer, "what a backfill brings", (it) => {
  it("is on the page of a product, whose days say where they are from", function* () {
    const { home } = yield* Backfilled
    const { page } = yield* explore(home.services)
    const answer = yield* page(`/games/${gameId}/products/1`)
    assert.include(textOf(answer.html), "3 of 6 days from the marketplace’s own history")
    const table = "Price sources, EUR"
    assert.deepStrictEqual(columnOf(answer, table, "origin"), [
      "night",
      "night",
      "history",
      "night",
      "history",
      "history"
    ])
    assert.deepStrictEqual(
      columnOf(answer, table, "Source EUR Standard"),
      [14, 14, 13, 11, 11, 10].map((price) => `€${price}.00`)
    )
    const [drawn] = drawnLines(answer.html)
    assert.deepStrictEqual(
      [drawn?.lines[0]?.past, drawn?.lines[0]?.steps].map((steps) => steps?.map(([, , amount]) => amount)),
      [
        [10, 11, 13],
        [11, 14]
      ]
    )
    const other = yield* page(`/games/${gameId}/products/1?rate=same-day`)
    assert.deepStrictEqual(columnOf(other, table, "origin"), columnOf(answer, table, "origin"))
  })

  it.full("is on the pages of movers and of an expansion once somebody asks", function* () {
    const { home } = yield* Backfilled
    const { page } = yield* explore(home.services)
    const movers = `/games/${gameId}/movers?days=6&min-price=0`
    assert.include(textOf((yield* page(movers)).html), "4 days: there is no older reading")
    const asked = yield* page(`${movers}&history=yes`)
    assert.deepStrictEqual(columnOf(asked, "Gainers by market value", "price"), ["€14.00 from €10.00 (history)"])
    assert.include(
      textOf((yield* page(`/games/${gameId}/movers?days=6&min-price=99&history=yes`)).html),
      "1 price moved from days of the marketplace's own history, or the first reading, to 2026-05-07, but all are filtered out: 1 below"
    )
    const expansion = `/games/${gameId}/expansions/1`
    const chart = "Value of one of every card, EUR"
    const own = yield* page(expansion)
    assert.deepStrictEqual(columnOf(own, chart, "Source EUR"), ["€64.00", "€64.00", "€61.00"])
    assert.include(textOf(own.html), "Also days of the marketplace’s own history (may lack cards)")
    const all = yield* page(`${expansion}?history=yes`)
    assert.deepStrictEqual(columnOf(all, chart, "origin"), ["night", "night", "history", "night", "history", "history"])
  })

  for (const format of tried(formatNames, (name) => name === "files"))
    it(`goes into a drop as ${format} by the day of the price, once earlier days are asked for`, () =>
      Effect.scoped(exportedAs(format)))

  it.full("is in the mart of price series, as in the lake", function* () {
    const { home } = yield* Backfilled
    const folder = yield* temporaryFolder
    yield* Effect.provideContext(exportTo(folder), home.services)
    const connection = yield* Effect.acquireRelease(
      Effect.promise(async () => (await DuckDBInstance.create(":memory:")).connect()),
      (opened) => Effect.sync(() => opened.closeSync())
    )
    const run = (sql: string) => Effect.promise(async () => (await connection.runAndReadAll(sql)).getRowObjectsJson())
    yield* run("set TimeZone = 'UTC'")
    const script = yield* Effect.provideContext(loadScript(folder, "duckdb", null), home.services)
    yield* Effect.promise(() => connection.run(script))
    const tables = yield* Effect.provideContext(tablesInDrop(folder), home.services)
    for (const [path, text] of dbtFiles(tables)) {
      const [, name] = /^models\/cardlake\/((?:stg_|cardlake_price_series)\w*)\.sql$/.exec(path) ?? []
      if (name !== undefined) yield* run(`create view ${name} as ${compiledModel(text)}`)
    }
    const columns = "day::varchar, currency, low::varchar, market_value::varchar, state, origin"
    const found = yield* run(
      `select ${columns} from cardlake_price_series where product_id = 1 and price_source = 'sourceEur' order by day`
    )
    assert.deepStrictEqual(
      found.map((row) => Object.values(row)),
      yield* valuesOf(home, `select ${columns} from price_series(1) order by day`)
    )
    assert.lengthOf(found, 7)
  })
})
