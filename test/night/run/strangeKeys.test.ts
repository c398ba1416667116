import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { heldGames } from "../../../src/night/observe/heldGames.ts"
import { runRelease } from "../../../src/night/run/runRelease.ts"
import { catalogueFolder, type Deployed, card, type Json } from "../../store/lake/invented.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { shared, suite } from "../../support/suite.ts"

type Block = Json | null

const under = (block: string, low = 2): Json => ({
  pricesByFinish: { Standard: { [block]: { currency: "EUR", low } } }
})
const both = (second: string): Json => ({
  pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 2 }, [second]: { currency: "USD", low: 3 } } }
})
const ids = (key: string): Json => ({ externalIds: { [key]: [{ finish: "Standard", id: 7 }] } })
const twoFigures = { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 2, marketValue: 4 } } } }
const movedLow = {
  pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue: 5, bounds: { lowest: 2 } } } }
}
const runeId = { externalIds: { runeId: "r" } }

/** Cards of a game: this many of each kind, one after the other. */
const cards = (gameId: string, ...kinds: ReadonlyArray<readonly [count: number, fields: Block]>) =>
  kinds
    .flatMap(([count, fields]) => Array.from({ length: count }, () => fields ?? {}))
    .map((fields, index) => card(index + 1, { gameId, game: { id: gameId, name: gameId }, ...fields }))

type Nights = (gameId: string) => ReadonlyArray<Deployed["products"]>

/** What the feed of each game says, night by night. */
const games: Readonly<Record<string, Nights>> = {
  blocks: (id) => [cards(id, [100, under("sourceEur")]), cards(id, [98, under("sourceEur")], [2, under("harbour")])],
  slip: (id) => [cards(id, [100, under("sourceEur")]), cards(id, [99, under("sourceEur")], [1, under("harbour")])],
  keys: (id) => [
    cards(id, [100, { ...under("sourceEur"), ...ids("sourceEur") }]),
    cards(id, [98, { ...under("sourceEur"), ...ids("sourceEur") }], [2, { ...under("sourceEur"), ...runeId }])
  ],
  // Another source, and other ids, beside those that are known.
  beside: (id) => [
    cards(id, [100, { ...under("sourceEur"), ...ids("sourceEur") }]),
    cards(id, [
      100,
      {
        pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 3 }, harbour: { currency: "EUR", low: 2 } } },
        externalIds: { sourceEur: [{ finish: "Standard", id: 7 }], runeId: "r" }
      }
    ])
  ],
  // One of two sources, of a few products: coverage hardly drops.
  oneOfTwo: (id) => [cards(id, [100, both("sourceUsd")]), cards(id, [97, both("sourceUsd")], [3, both("harbour")])],
  // New cards that have nothing else.
  newCards: (id) => [cards(id, [100, under("sourceEur")]), cards(id, [100, under("sourceEur")], [2, under("harbour")])],
  // A figure that is unknown is stored with its price.
  figure: (id) => [
    cards(id, [100, under("sourceEur")]),
    cards(id, [100, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 2, tide: 1 } } } }])
  ],
  // A figure that was there is lost to an unknown key, in few products or in new ones.
  lostFigure: (id) => [cards(id, [100, twoFigures]), cards(id, [98, twoFigures], [2, movedLow])],
  newFigure: (id) => [cards(id, [100, twoFigures]), cards(id, [100, twoFigures], [2, movedLow])],
  // What was filled in for all is there for none, under whatever key.
  emptied: (id) => [
    cards(id, [100, { ...twoFigures, rarity: "Rare" }]),
    cards(id, [100, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue: 5 } } } }])
  ],
  // In the live service's words, then in those of nobody.
  renamed: (id) => [
    cards(id, [100, { ...under("cardmarket"), ...ids("cardmarket") }]),
    cards(id, [100, { ...under("harbour"), ...ids("berth") }])
  ],
  // A person releases its first night. Then more cards, and first prices, under the same key; then lost prices.
  released: (id) => [
    cards(id, [50, under("sourceEur")], [30, under("harbour")], [20, null]),
    cards(id, [50, under("sourceEur", 3)], [60, under("harbour")]),
    cards(id, [47, under("sourceEur", 4)], [63, under("harbour")])
  ]
}

const LaterNight = shared("LaterNight", function* () {
  const folder = Object.entries(games).map(([id, nights]) => [id, nights(id).map((products) => ({ products }))])
  const catalogue = yield* catalogueFolder(Object.fromEntries(folder))
  const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue })
  const inHome = Effect.provideContext(services)
  const first = yield* night()
  yield* inHome(runRelease({ gameId: "released", wanted: null, why: null }))
  for (const gameId of Object.keys(games)) yield* sandbox.deploy(gameId)
  return { first, later: yield* night(), night, sandbox, inHome }
})

const later = (gameId: string) =>
  Effect.map(LaterNight, ({ later }) => {
    const report = later.games.find((game) => game.gameId === gameId)
    assert.isDefined(report)
    return { ...report, reason: report.reason ?? "" }
  })

suite(LaterNight.layer, "a night after the first", (it) => {
  it("is held where more than 1 % of the products have their prices under unknown keys by now", function* () {
    const { reason, verdict } = yield* later("blocks")
    assert.strictEqual(verdict, "held")
    assert.include(
      reason,
      "2.0 % of the products now have prices or external ids under keys that the contract does not know, so no table has them: pricesByFinish.*.harbour."
    )
    assert.strictEqual((yield* later("slip")).verdict, "published")
  })

  it("is held where ids are under such keys, not where a price has a figure more", function* () {
    const { reason, verdict } = yield* later("keys")
    assert.strictEqual(verdict, "held")
    assert.include(reason, "externalIds.runeId")
    assert.strictEqual((yield* later("figure")).verdict, "published")
  })

  it("is held where one of two known sources is lost to such a key, or new products have nothing else", function* () {
    const lost = yield* later("oneOfTwo")
    assert.strictEqual(lost.verdict, "held")
    assert.match(lost.reason, /^3\.0 % of the products now have .*: pricesByFinish\.\*\.harbour\./)
    assert.strictEqual((yield* later("newCards")).verdict, "held")
  })

  it("is held where a figure is lost to such a key in more than 1 % of the products, or new ones have it there", function* () {
    const { reason, verdict } = yield* later("lostFigure")
    assert.strictEqual(verdict, "held")
    assert.match(
      reason,
      /^2\.0 % of the products now have price figures under .*: pricesByFinish\.\*\.sourceEur\.bounds \(no low/
    )
    assert.strictEqual((yield* later("newFigure")).verdict, "held")
  })

  it("is held where what most of the products had is there for none", function* () {
    const { reason, verdict } = yield* later("emptied")
    assert.strictEqual(verdict, "held")
    assert.include(reason, "products.rarity is null for all of 100, and was filled in for 100.0 % of them")
    assert.include(reason, "source_prices.low of Source EUR is null for all of 100")
    assert.match(
      reason,
      /If it is called otherwise by now: Say what they are in a dialect file: .*cardlake replay emptied --dialect/
    )
  })

  it("with prices and ids under such keys beside those that are known is published", function* () {
    const { drift, verdict } = yield* later("beside")
    assert.strictEqual(verdict, "published")
    assert.strictEqual(drift?.keys, 2)
  })

  it("in words of nobody is held for its keys first, and calls the sources as the published night does", function* () {
    const { reason, verdict } = yield* later("renamed")
    assert.strictEqual(verdict, "held")
    assert.match(
      reason,
      /^100\.0 % of the products now have .*: externalIds\.berth, pricesByFinish\.\*\.harbour; Cardmarket prices 0\.0 %/
    )
    assert.notInclude(reason, "Source EUR")
  })

  it("that is held for its keys says to report them first, and to release it last", function* () {
    const { inHome } = yield* LaterNight
    const advice =
      /Say what they are in a dialect file: cardlake doctor --capture capture\.json shows how the marketplace answers\. Then publish the stored pages with: cardlake replay renamed --dialect dialect\.json\. .*cardlake diff renamed .*cardlake release renamed \S+$/
    assert.match((yield* later("renamed")).reason, advice)
    const held = (yield* inHome(heldGames)).find(({ gameId }) => gameId === "renamed")
    assert.match(held?.reason ?? "", advice)
  })

  it("that finds again what is held waits no more once a person has released that", function* () {
    const { inHome, night } = yield* LaterNight
    const isHeld = Effect.map(inHome(heldGames), (games) => games.some(({ gameId }) => gameId === "keys"))
    assert.strictEqual((yield* night("keys")).verdict, "held")
    assert.isTrue(yield* isHeld)
    yield* inHome(runRelease({ gameId: "keys", wanted: null, why: null }))
    assert.isFalse(yield* isHeld)
  })

  it("is not held for keys that a person released, unless prices that were known are lost to them", function* () {
    const { night, sandbox } = yield* LaterNight
    assert.strictEqual((yield* later("released")).verdict, "published")
    yield* sandbox.deploy("released")
    const [lost] = (yield* night("released")).games
    assert.strictEqual(lost?.verdict, "held")
    assert.include(lost?.reason, "2.7 % of the products now have prices or external ids under keys")
  })
})
