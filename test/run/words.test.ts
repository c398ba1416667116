import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { judge } from "../../src/diff/judge.ts"
import { newRunId } from "../../src/home/newRunId.ts"
import { loadSnapshot } from "../../src/lake/load/loadSnapshot.ts"
import { storeSnapshot } from "../../src/lake/snapshot/storeSnapshot.ts"
import { writeReading } from "../lake/handMadeReading.ts"
import { heldGames } from "../../src/observe/heldGames.ts"
import { runReworded } from "../../src/run/runReread.ts"
import { readSnapshot } from "../../src/home/snapshots.ts"
import { Home } from "../../src/home/Home.ts"
import { catalogueFolder, type Deployed } from "../lake/catalogueFolder.ts"
import { card, gameId, sealed } from "../lake/invented.ts"
import { lakeRows } from "../lake/tableRows.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"
import { idOf } from "../idOf.ts"

const ids = [{ finish: "Foil", id: 71 }]

/** The same three products in the words of each dialect, written out by hand. */
const spec = (low: number): Deployed["products"] => [
  card(1, {
    pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low }, sourceUsd: { currency: "USD", low: 3 } } },
    externalIds: { sourceEur: ids, mtgId: "m-1" }
  }),
  sealed(2, { prices: { sourceUsd: { currency: "USD", low: 90 } }, externalIds: { riftboundId: "r-2" } }),
  card(3, { pricesByFinish: {} })
]
const live = (low: number): Deployed["products"] => [
  card(1, {
    pricesByFinish: { Foil: { cardmarket: { currency: "EUR", low }, tcgplayer: { currency: "USD", low: 3 } } },
    externalIds: { cardmarket: ids, scryfallId: "m-1" }
  }),
  sealed(2, { prices: { tcgplayer: { currency: "USD", low: 90 } }, externalIds: { riotId: "r-2" } }),
  card(3, { pricesByFinish: {} })
]
const july = (low: number): Deployed["products"] => [
  card(1, {
    pricesByFinish: { Foil: { eur: { low }, usd: { low: 3 } } },
    externalIds: { cardmarket: ids, scryfallId: "m-1" }
  }),
  sealed(2, { prices: { usd: { low: 90 } }, externalIds: { riotId: "r-2" } }),
  card(3, { pricesByFinish: {} })
]

/** A home beside a marketplace whose deployments say these products, one after the other. */
const reading = Effect.fnUntraced(function* (
  deployed: ReadonlyArray<Deployed["products"]>,
  settings: Record<string, string> = {}
) {
  const catalogue = yield* catalogueFolder({ [gameId]: deployed.map((products) => ({ products })) })
  const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue }, settings)
  const inHome = Effect.provideContext(services)
  return { night: night(), deploy: sandbox.deploy(gameId), inHome, rows: (sql: string) => inHome(lakeRows(sql)) }
})

const priced = "select product_id, source, currency, low from source_prices order by all"
const known = "select product_id, system, external_id from external_ids order by all"

describe("a night", () => {
  for (const [name, said] of [
    ["spec", spec],
    ["live", live],
    ["live-july", july]
  ] as const) {
    it.live(`reads the words of ${name} as its pages show them`, () =>
      Effect.gen(function* () {
        const { inHome, night, rows } = yield* reading([said(2.5)])
        const { games } = yield* night
        assert.deepStrictEqual(
          games.map(({ drift, refused, verdict }) => [verdict, refused, drift]),
          [["published", 0, { keys: 0, records: 0 }]]
        )
        assert.deepStrictEqual(yield* rows(priced), [
          { product_id: "1", source: "sourceEur", currency: "EUR", low: "2.5000" },
          { product_id: "1", source: "sourceUsd", currency: "USD", low: "3.0000" },
          { product_id: "2", source: "sourceUsd", currency: "USD", low: "90.0000" }
        ])
        assert.deepStrictEqual(yield* rows(known), [
          { product_id: "1", system: "mtgId", external_id: "m-1" },
          { product_id: "1", system: "sourceEur", external_id: "71" },
          { product_id: "2", system: "riftboundId", external_id: "r-2" }
        ])
        const { manifest } = yield* inHome(
          Effect.flatMap(Home, (home) => readSnapshot(home.snapshot(gameId, idOf(games[0]?.snapshot ?? ""))))
        )
        assert.strictEqual(manifest.dialect, name)
      })
    )
  }

  it.live("that comes in other words than the one before changes nothing but what moved, and back", () =>
    Effect.gen(function* () {
      const { deploy, night, rows } = yield* reading([spec(2.5), live(2.5), live(4), spec(4), july(4.25)])
      yield* night
      const changes: Array<unknown> = []
      const titles: Array<unknown> = []
      for (let day = 2; day <= 5; day++) {
        yield* deploy
        const { games } = yield* night
        changes.push(games.map((game) => [game.verdict, game.changes?.products]))
        titles.push(...(yield* rows("select title from price_sources where source = 'sourceEur'")))
      }
      const same = { added: 0, removed: 0, modified: 0, modifiedCatalogue: 0, modifiedPrice: 0 }
      const moved = { ...same, modified: 1, modifiedPrice: 1 }
      assert.deepStrictEqual(changes, [
        [["published", same]],
        [["published", moved]],
        [["published", same]],
        [["published", moved]]
      ])
      assert.deepStrictEqual(
        titles.map((row) => Object(row).title),
        ["Cardmarket", "Cardmarket", "Source EUR", "Cardmarket"]
      )
      assert.deepStrictEqual(yield* rows("select count(*) as versions from files.product_versions"), [
        { versions: "3" }
      ])
    })
  )

  it.live("of pages with the words of two dialects is held, and says which", () =>
    Effect.gen(function* () {
      const { night } = yield* reading([[...spec(1).slice(0, 1), ...live(1).slice(1)]])
      const { games, verdict } = yield* night
      assert.strictEqual(verdict, "held")
      const reason = games[0]?.reason ?? ""
      assert.include(
        reason,
        "page 1 of the products has words of more than one dialect (mtgId, riotId, sourceEur, sourceUsd, tcgplayer)"
      )
    })
  )

  it.live("that is asked for other words than its pages are in is held, and says how to mend it", () =>
    Effect.gen(function* () {
      const { night } = yield* reading([live(1)], { CARDLAKE_DIALECT: "spec" })
      const { games, verdict } = yield* night
      assert.strictEqual(verdict, "held")
      assert.include(
        games[0]?.reason,
        "page 1 of the products is in the words of live (cardmarket, riotId, scryfallId, tcgplayer)"
      )
      assert.include(games[0]?.reason, "set --dialect or CARDLAKE_DIALECT to live, or leave them out")
      assert.strictEqual((yield* (yield* reading([live(1)], { CARDLAKE_DIALECT: "live" })).night).verdict, "published")
    })
  )
})

describe("a game that was held because its words were unknown", () => {
  /** As a version held it that knew the spec's words alone. */
  const held = Effect.fnUntraced(function* () {
    const home = yield* reading([live(2.5)])
    const old = yield* home.inHome(
      Effect.gen(function* () {
        const run = yield* newRunId
        const raw = (yield* Home).raw(gameId, run)
        const extraction = writeReading(raw, run, { products: live(2.5), changelog: [] })
        writeFileSync(join(raw, "extraction.json"), JSON.stringify(extraction))
        const staged = yield* loadSnapshot(extraction, null)
        return yield* storeSnapshot(staged, null, yield* judge(null, staged, null))
      })
    )
    return { ...home, old: old.manifest.snapshot }
  })

  it.live("is told by doctor, and published by replay with its prices and ids", () =>
    Effect.gen(function* () {
      const { inHome, old, rows } = yield* held()
      const [before] = yield* inHome(heldGames)
      assert.include(before?.reason, "prices or external ids under keys that the contract does not know")
      assert.include(
        before?.reason,
        `Publish it with its prices and ids: cardlake replay ${gameId} ${old} --dialect live`
      )
      const done = yield* inHome(runReworded({ gameId, wanted: null, why: null }, null))
      assert.deepInclude(done, { verdict: "published", before: old, dialect: "live", prices: 3, pricesBefore: 0 })
      assert.strictEqual((yield* rows(priced)).length, 3)
      assert.strictEqual((yield* rows(known)).length, 3)
      assert.deepStrictEqual(yield* inHome(heldGames), [])
    })
  )

  it.live("is not read in words that its pages are not in", () =>
    Effect.gen(function* () {
      const { inHome } = yield* held()
      const error = yield* Effect.flip(inHome(runReworded({ gameId, wanted: null, why: null }, "live-july")))
      assert.include(error.message, "is in the words of live (cardmarket, riotId, scryfallId, tcgplayer)")
    })
  )
})
