import { shared, suite } from "../support/suite.ts"
import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { exportTables } from "../../src/warehouse/drop/exportTables.ts"
import { dbtFiles } from "../../src/warehouse/engines/dbtProject.ts"
import { loadScript } from "../../src/warehouse/engines/loadScript.ts"
import { card, expansion, sealed, type Json } from "../store/lake/invented.ts"
import { emptyHome } from "../store/lake/handMadeNights.ts"
import { storedBackfill } from "../store/lake/storedBackfill.ts"
import { lakeRows } from "../store/lake/tableRows.ts"
import { compiledModel } from "./compiledModel.ts"
import { contractsIn, exportTo, temporaryFolder, dayOf, nightId } from "./FourNights.ts"
import { publishNights } from "./publishNights.ts"
import { tried } from "../tried.ts"
import { readAgain } from "./readAgain.ts"

const euros = (marketValue: number | null, low = 1) => ({ sourceEur: { currency: "EUR", low, marketValue } })
const dollars = (marketValue: number) => ({ sourceUsd: { currency: "USD", marketValue } })
const inSet = (id: number, pricesByFinish: Json, more: Json = {}) =>
  card(id, { expansionId: 71, finishes: ["Standard", "Foil"], pricesByFinish, ...more })
const named = (name: string, id: string) => ({
  name,
  nameSlug: name.toLowerCase(),
  printNumber: id,
  externalIds: { mtgId: id }
})

/**
 * Nights on days 1, 2, 5 and 6, readings without news on days 4 and 9, none on the others. Id 1 passes to another
 * product on day 5 and id 5 on day 6; the service's history has both's price on day 7. Card 2 leaves on day 5 and returns on day 6, card 3 comes on day 2, card 4 changes its finishes.
 */
const feed: ReadonlyArray<readonly [place: number, products: ReadonlyArray<Json>]> = [
  [
    1,
    [
      inSet(1, { Standard: { ...euros(10), ...dollars(11) } }, named("Moth", "a")),
      inSet(2, { Standard: euros(4), Foil: euros(12.3456) }),
      inSet(4, { Standard: euros(3), Foil: euros(2) }, { finishes: ["Standard"] }),
      inSet(5, { Standard: euros(8) }, named("Wasp", "c")),
      sealed(9, { expansionId: 71, prices: euros(90) })
    ]
  ],
  [
    2,
    [
      inSet(1, { Standard: { ...euros(12.5), ...dollars(11) } }, named("Moth", "a")),
      inSet(2, { Standard: euros(0), Foil: euros(15) }),
      inSet(3, { Standard: euros(7) }),
      inSet(4, { Standard: euros(3.21), Foil: euros(2) }, { finishes: ["Standard", "Foil"] }),
      sealed(9, { expansionId: 71, prices: euros(99) })
    ]
  ],
  [5, [inSet(1, { Standard: euros(50) }, named("Newt", "b")), inSet(3, { Standard: euros(14) }), inSet(4, {})]],
  [
    6,
    [
      inSet(1, { Standard: euros(51) }, named("Newt", "b")),
      inSet(2, { Standard: euros(5), Foil: euros(15.5) }),
      inSet(3, { Standard: euros(13.37), Foil: dollars(3) }),
      inSet(4, { Standard: euros(2.345), Foil: euros(2.6789) }),
      inSet(5, { Standard: euros(20) }, named("Vole", "d"))
    ]
  ]
]

const Marts = shared("Marts", function* () {
  const expansions = [expansion(71)]
  yield* publishNights(
    feed.map(([place, products]) => [
      nightId(place),
      // Day 6 ends in Kiritimati at ten.
      { products, expansions, completedAt: `${dayOf(place)}T${place === 6 ? "11" : "03"}:00:00.000Z` }
    ])
  )
  const onDay7 = [[dayOf(7), 21]] as const
  yield* storedBackfill("20260507T050000000Z-0000", new Map([1, 5].map((id) => [id, onDay7])))
  yield* readAgain(2, `${dayOf(4)}T05:00:00.000Z`)
  yield* readAgain(6, `${dayOf(6)}T13:00:00.000Z`, `${dayOf(9)}T01:00:00.000Z`)
  const folder = yield* temporaryFolder
  yield* exportTo(folder)
  const there = new Set(contractsIn(folder).map(({ table }) => table))
  const connection = yield* Effect.acquireRelease(
    Effect.promise(async () => (await DuckDBInstance.create(":memory:")).connect()),
    (opened) => Effect.sync(() => opened.closeSync())
  )
  const script = yield* loadScript(folder, "duckdb", null)
  const models = dbtFiles(exportTables("exact").filter(({ name }) => there.has(name))).flatMap(([path, text]) => {
    const [, name] = /^models\/cardlake\/(\w+)\.sql$/.exec(path) ?? []
    return name === undefined ? [] : [`create view ${name} as ${compiledModel(text)}`]
  })
  yield* Effect.promise(() => connection.run("set TimeZone = 'UTC'"))
  for (const sql of [script, ...models]) yield* Effect.promise(() => connection.run(sql))
  const services = yield* Effect.context<Effect.Services<ReturnType<typeof lakeRows>>>()
  const rowSql = (sql: string) => `select row::varchar as row from (${sql}) row order by row`
  return {
    /** Rows of a query in the warehouse in a time zone, as text. */
    answerTo: (sql: string, zone = "UTC") =>
      Effect.promise(async () => {
        await connection.run(`set TimeZone = '${zone}'; create or replace temp table answer as ${sql}`)
        const rows = await connection.runAndReadAll(`set TimeZone = 'UTC'; ${rowSql("from answer")}`)
        return rows.getRowObjectsJson().map(({ row }) => String(row))
      }),
    /** The same in the lake. */
    known: (sql: string) =>
      lakeRows(rowSql(sql)).pipe(
        Effect.map((rows) => rows.map(({ row }) => String(row))),
        Effect.orDie,
        Effect.provideContext(services)
      )
  }
})

/** What to ask of the lake, and of the mart. */
const equal: ReadonlyArray<readonly [name: string, lake: string, mart: string, least: number]> = [
  [
    "price_series",
    ["sourceEur", "sourceUsd"]
      .flatMap((source) => [1, 2, 3, 4, 5, 9].map((id) => `from price_series(${id}, source_name := '${source}')`))
      .map(
        (sql) =>
          `select * replace (if(state = 'not read', null, is_listed) as is_listed) rename (source as price_source) ${sql}`
      )
      .join(" union all "),
    "from cardlake_price_series",
    6 * 2 * 9
  ],
  [
    "movers",
    `select game_id, product_id, name, expansion_code, finish, is_listed, source as price_source, currency, old as old_value, new as new_value,
       change as value_change, percent as percent_change, listing_count, is_outlier, seen_before, seen_at, days_between from movers()`,
    "from cardlake_movers",
    3
  ],
  [
    "set_values",
    `select game_id, expansion_id, code, name, source as price_source, currency, value, dearest, priced, cards, percent_priced from set_values`,
    "from cardlake_set_values",
    1
  ],
  [
    "set_value_series",
    "select * exclude (origin) rename (source as price_source) from set_value_series(71)",
    "from cardlake_set_value_series",
    6
  ]
]

/** Days are UTC, whatever zone the warehouse's session has. */
const zones = tried(["UTC", "Pacific/Kiritimati", "Pacific/Honolulu"], (zone) => zone === "Pacific/Kiritimati")

suite(Layer.provide(Marts.layer, emptyHome), "a mart for dbt", (it) => {
  // price_series takes longest; the test below asks for some of its days.
  for (const [name, lake, mart, least] of tried(equal, ([name]) => name !== "price_series")) {
    it(`answers as ${name} does in the lake, row by row`, function* () {
      const { answerTo, known } = yield* Marts
      const rows = yield* known(lake)
      assert.isAtLeast(rows.length, least)
      for (const zone of zones) assert.deepStrictEqual(yield* answerTo(mart, zone), rows, zone)
    })
  }

  it("knows days without a reading, with one that found nothing new, and an id that passed on", function* () {
    const { answerTo } = yield* Marts
    assert.deepStrictEqual(
      yield* answerTo(`select concat_ws(' ', day(day), product_id, state, is_listed, market_value) as told
          from cardlake_price_series where finish = 'Standard' and price_source = 'sourceEur' and product_id < 3
            and day between '2026-05-02' and '2026-05-05'`),
      [
        "2 1 not in the catalogue",
        "2 2 no price true",
        "3 1 not read",
        "3 2 not read",
        "4 1 not in the catalogue",
        "4 2 no price true",
        "5 1 priced true 50.0000",
        "5 2 not in the catalogue"
      ].map((told) => `{'told': ${told}}`)
    )
  })
})
