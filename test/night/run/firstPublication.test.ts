import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { runRelease } from "../../../src/night/run/runRelease.ts"
import { verdictText } from "../../../pipelines/night/verdictText.ts"
import { catalogueFolder, card, type Json, sealed } from "../../store/lake/invented.ts"
import { lakeRows } from "../../store/lake/tableRows.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { shared, live, suite } from "../../support/suite.ts"

const priced = { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 2 } } } }
const strangeBlock = { pricesByFinish: { Standard: { harbour: { currency: "EUR", low: 2 } } } }

const allFigures = { currency: "EUR", low: 2, mid: 3, high: 4, marketValue: 3 }
const movedLow = { currency: "EUR", mid: 3, high: 4, marketValue: 3, bounds: { lowest: 2 } }

/** A hundred cards of a game, the first `odd` of them with other fields. */
const hundred = (gameId: string, odd: number, fields: Json) =>
  Array.from({ length: 100 }, (_, index) =>
    card(index + 1, { gameId, game: { id: gameId, name: gameId }, ...priced, ...(index < odd ? fields : {}) })
  )
const ofGame = (gameId: string) => ({ gameId, game: { id: gameId, name: gameId } })

/** What the feed of each game says on its first night. */
const games: Readonly<Record<string, ReadonlyArray<Json>>> = {
  // All prices and ids are under words that the contract does not know.
  dialect: [
    card(1, { ...ofGame("dialect"), ...strangeBlock, externalIds: { runeId: "r1" } }),
    card(2, { ...ofGame("dialect"), ...strangeBlock, externalIds: { runeId: "r2" } }),
    card(3, { ...ofGame("dialect"), ...strangeBlock }),
    sealed(4, { ...ofGame("dialect"), prices: { harbour: { low: 9 } } })
  ],
  fewblocks: hundred("fewblocks", 1, strangeBlock),
  manyblocks: hundred("manyblocks", 2, strangeBlock),
  // What is null is absent, whatever its name.
  nullids: hundred("nullids", 100, { externalIds: { runeId: null } }),
  // An unknown figure is stored with its price, so nothing is lost where all known ones are there; text is no figure.
  figure: hundred("figure", 100, {
    pricesByFinish: { Standard: { sourceEur: { ...allFigures, tide: 3, at: "2026-01-01T10:05:00" } } },
    mood: "dim"
  }),
  dated: hundred("dated", 100, {
    pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 2, date: "2026-01-01T10:05:00" } } }
  }),
  // A known figure is nowhere beside one that is unknown: it may be that one.
  moved: hundred("moved", 2, { pricesByFinish: { Standard: { sourceEur: movedLow } } }),
  fewmoved: hundred("fewmoved", 1, { pricesByFinish: { Standard: { sourceEur: movedLow } } }),
  sealedmoved: [
    ...hundred("sealedmoved", 0, {}),
    ...[101, 102, 103].map((id) => sealed(id, { ...ofGame("sealedmoved"), prices: { sourceEur: movedLow } }))
  ],
  buckets: hundred("buckets", 100, {
    pricesByFinish: {
      Standard: {
        sourceEur: {
          ...allFigures,
          byCondition: { NM: { spot: { low: 2 }, byLanguage: { en: { low: 2, units: 1 } } } }
        }
      }
    }
  }),
  grades: hundred("grades", 100, {
    pricesByFinish: { Standard: { sourceEur: { ...allFigures, byGrade: { NM: { low: 2 } } } } }
  }),
  // Its figure has another name, and 0 is no price.
  unpriced: hundred("unpriced", 100, {
    pricesByFinish: { Standard: { sourceEur: { currency: "EUR", cheapest: 2, marketValue: 0 } } }
  }),
  noblocks: hundred("noblocks", 100, { pricesByFinish: {} })
}

const FirstNight = shared("FirstNight", function* () {
  const catalogue = yield* catalogueFolder(
    Object.fromEntries(
      Object.entries(games).map(([gameId, products]) => [
        gameId,
        [{ products }, { products: products.map((product) => ({ ...product, imageUrl: "harbour.png" })) }]
      ])
    )
  )
  const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue })
  return { first: yield* night(), night, sandbox, inHome: Effect.provideContext(services) }
})

const reportOf = (gameId: string) =>
  Effect.map(FirstNight, ({ first }) => {
    const report = first.games.find((game) => game.gameId === gameId)
    assert.isDefined(report)
    return report
  })

suite(FirstNight.layer, "a game's first publication", (it) => {
  it("is held where more than 1 % of the products have prices or ids under unknown keys", function* () {
    const { reason, verdict } = yield* reportOf("dialect")
    assert.strictEqual(verdict, "held")
    assert.include(reason, "100.0 % of the products")
    for (const key of ["pricesByFinish.*.harbour", "prices.harbour", "externalIds.runeId"]) {
      assert.include(reason, key)
    }
    assert.match(
      reason ?? "",
      /Say what they are in a dialect file: cardlake doctor --capture capture\.json shows how the marketplace answers\. Then publish the stored pages with: cardlake replay dialect --dialect dialect\.json\. Publish it anyway, without them, with: cardlake release dialect \S+$/
    )
    assert.notInclude(reason, "cardlake diff", "there is nothing to compare it with")
    assert.strictEqual((yield* reportOf("manyblocks")).verdict, "held")
    assert.include((yield* reportOf("manyblocks")).reason, "2.0 % of the products")
    assert.strictEqual((yield* reportOf("fewblocks")).verdict, "published")
  })

  it("is held where more than 1 % have price figures under unknown keys, and a known one is nowhere beside them", function* () {
    const { reason, verdict } = yield* reportOf("moved")
    assert.strictEqual(verdict, "held")
    assert.match(
      reason ?? "",
      /^2\.0 % of the products have price figures under keys that the contract does not know, so no table has them: pricesByFinish\.\*\.sourceEur\.bounds \(no low beside it\)\. Say what they are in a dialect file: /
    )
    assert.strictEqual((yield* reportOf("fewmoved")).verdict, "published")
    assert.match((yield* reportOf("sealedmoved")).reason ?? "", /: prices\.sourceEur\.bounds \(no low beside it\)\./)
    const { reason: inBuckets } = yield* reportOf("buckets")
    assert.include(
      inBuckets,
      "pricesByFinish.*.sourceEur.byCondition.*.spot (no low, listingCount, availableQuantity beside it)"
    )
    assert.include(
      inBuckets,
      "pricesByFinish.*.sourceEur.byCondition.*.byLanguage.*.units (no listingCount, availableQuantity"
    )
    assert.include((yield* reportOf("grades")).reason, "pricesByFinish.*.sourceEur.byGrade (no byCondition beside it)")
  })

  it("is held where there are price blocks and none has a price", function* () {
    const { reason, verdict } = yield* reportOf("unpriced")
    assert.strictEqual(verdict, "held")
    assert.include(reason, "there are price blocks (Source EUR for 100 products) but no price above 0 in any of them")
    assert.strictEqual((yield* reportOf("noblocks")).verdict, "published")
  })

  it("is published where unknown figures are beside all known ones, where fields are unknown, or where all unknown ids are null", function* () {
    assert.strictEqual((yield* reportOf("figure")).verdict, "published")
    assert.strictEqual((yield* reportOf("dated")).verdict, "published")
    assert.strictEqual((yield* reportOf("nullids")).verdict, "published")
  })

  it("says how many unknown keys there are and how many records have them", function* () {
    const { first } = yield* FirstNight
    assert.deepStrictEqual(Object.fromEntries(first.games.map(({ drift, gameId }) => [gameId, drift])), {
      dialect: { keys: 3, records: 4 },
      fewblocks: { keys: 1, records: 1 },
      manyblocks: { keys: 1, records: 2 },
      nullids: { keys: 1, records: 100 },
      figure: { keys: 3, records: 100 },
      dated: { keys: 1, records: 100 },
      moved: { keys: 1, records: 2 },
      fewmoved: { keys: 1, records: 1 },
      sealedmoved: { keys: 1, records: 3 },
      buckets: { keys: 2, records: 100 },
      grades: { keys: 1, records: 100 },
      unpriced: { keys: 1, records: 100 },
      noblocks: { keys: 0, records: 0 }
    })
    const said = verdictText(first)
      .split("\n")
      .find((line) => line.startsWith("Keys that the contract does not know"))
    assert.include(said, "figure 3 in 100 records")
    assert.notInclude(said, "noblocks")
    assert.match(said ?? "", /cardlake query "from drift"$/)
  })

  it("that a person released is followed by nights that are judged like any other", function* () {
    const { inHome, night, sandbox } = yield* FirstNight
    yield* inHome(runRelease({ gameId: "dialect", wanted: null, why: null }))
    const again = yield* night("dialect")
    assert.deepStrictEqual(
      again.games.map(({ drift, verdict }) => [verdict, drift]),
      [["unchanged", { keys: 3, records: 4 }]]
    )
    yield* sandbox.deploy("dialect")
    assert.strictEqual((yield* night("dialect")).verdict, "published")
    const known = yield* inHome(lakeRows("select count(*) as n from drift where game_id = 'dialect' and kind = 'key'"))
    assert.deepStrictEqual(known, [{ n: "3" }])
  })
})

live("by feed files is held for such figures, too, and names them as the files have them", function* () {
  const catalogue = yield* catalogueFolder({ sealedmoved: [{ products: games["sealedmoved"] ?? [] }] })
  const { night } = yield* marketplaceAndHome({ catalogue }, { CARDLAKE_ROAD: "feeds" })
  const [report] = (yield* night()).games
  assert.strictEqual(report?.road, "feeds")
  assert.strictEqual(report?.verdict, "held")
  assert.include(report?.reason, ": pricesByFinish.*.sourceEur.bounds (no low beside it).")
})
