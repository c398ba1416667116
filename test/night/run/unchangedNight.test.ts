import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { runNight } from "../../../src/night/run/runNight.ts"
import { catalogueFolder, card, expansion } from "../../store/lake/invented.ts"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"
import { findStaleTrust } from "../../../src/store/lake/trust/publishTrust.ts"
import { showing } from "../../../src/night/run/showing.ts"
import { lakeRows, lines } from "../../store/lake/tableRows.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { live } from "../../support/suite.ts"

const games = ["hollowmere", "saltfen"]
const day = (gameId: string, nth: number) => ({
  expansions: [{ ...expansion(1), gameId }],
  products: [1, 2, 3].map((id) =>
    card(id, { gameId, pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: id + nth } } } })
  )
})

live(
  "a night whose pages equal those of the published reading loads nothing, is a reading, and rebuilds a lake that somebody wrote into",
  function* () {
    const catalogue = yield* catalogueFolder(
      Object.fromEntries(games.map((id) => [id, [0, 1, 2].map((nth) => day(id, nth))]))
    )
    const { home, inHome, sandbox, services } = yield* marketplaceAndHome({ catalogue })
    const query = (sql: string) => inHome(lakeRows(sql))
    const stages: Array<string> = []
    const night = (date: string) => {
      stages.length = 0
      return runNight([], ({ gameId, stage }) => void stages.push(`${gameId} ${stage}`)).pipe(
        showing(Date.parse(`2026-05-${date}T03:00:00Z`)),
        Effect.provideContext(services)
      )
    }
    const verdicts = (report: Effect.Success<ReturnType<typeof night>>) => report.games.map(({ verdict }) => verdict)
    const loaded = () => games.filter((gameId) => stages.includes(`${gameId} loading`))

    yield* night("01")
    assert.deepStrictEqual(loaded(), games)
    const written = Effect.gen(function* () {
      const session = yield* (yield* Lake).session
      yield* session.run("Write", `attach '${home}/lake.duckdb' as own; create table own.mine as select 1; detach own`)
    })
    yield* inHome(Effect.scoped(written))
    assert.deepStrictEqual(verdicts(yield* night("02")), ["unchanged", "unchanged"])
    assert.deepStrictEqual(loaded(), [])
    const names = "select table_name from duckdb_tables() where table_name in ('mine', 'products')"
    assert.deepStrictEqual(yield* query(names), [{ table_name: "products" }])

    // Otherwise every such night would compute all verdicts of prices again.
    const stale = Effect.scoped(Effect.flatMap(openLake, findStaleTrust))
    assert.deepStrictEqual(yield* Effect.provideContext(stale, services), { isStale: false, isComparable: true })

    // The list of games is another one, too: it counts the products of each.
    yield* sandbox.deploy("saltfen")
    assert.deepStrictEqual(verdicts(yield* night("03")), ["unchanged", "published"])
    assert.deepStrictEqual(loaded(), ["saltfen"])

    assert.deepStrictEqual(
      lines(yield* query("select game_id, day(day), is_confirmation from readings order by all")),
      ["1 false", "2 true", "3 true"]
        .map((reading) => `hollowmere ${reading}`)
        .concat(["1 false", "2 true", "3 false"].map((reading) => `saltfen ${reading}`))
    )
    const lows = "select game_id, low::int as low from source_prices where product_id = 1 order by all"
    assert.deepStrictEqual(lines(yield* query(lows)), ["hollowmere 1", "saltfen 2"])
  }
)

live.full("a night that differs only on its last page, under the same head, publishes every product", function* () {
  const count = 450
  const deployed = (last: number) => ({
    expansions: [{ ...expansion(1), gameId: "hollowmere" }],
    products: Array.from({ length: count }, (_, index) => {
      const low = index + 1 === count ? last : index + 1
      const prices = { Standard: { sourceEur: { currency: "EUR", low } } }
      return card(index + 1, { gameId: "hollowmere", pricesByFinish: prices })
    })
  })
  // Only prices change, so the changelog has no entry.
  const catalogue = yield* catalogueFolder({ hollowmere: [deployed(7000), deployed(8000)] })
  const { inHome, night, sandbox } = yield* marketplaceAndHome({ catalogue })
  const first = yield* night()
  yield* sandbox.deploy("hollowmere")
  const second = yield* night()
  assert.deepStrictEqual(
    [second.verdict, second.games[0]?.deploymentId, second.games[0]?.changes?.products.modified],
    ["published", first.games[0]?.deploymentId, 1]
  )
  assert.deepStrictEqual(
    yield* inHome(
      lakeRows(
        "select count(*)::int as n, count(distinct product_id)::int as ids, max(low)::int as most from source_prices"
      )
    ),
    [{ n: count, ids: count, most: 8000 }]
  )
})
