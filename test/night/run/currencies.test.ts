import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { diffPrinted } from "../../../pipelines/print/diffPrinted.ts"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { catalogueFolder, card } from "../../store/lake/invented.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { live } from "../../support/suite.ts"

/** Cards whose figures never change; the first `swiss` of them are priced in CHF. */
const cards = (gameId: string, swiss: number, na = "USD") =>
  Array.from({ length: 200 }, (_, index) => {
    const sourceEur = { currency: index < swiss ? "CHF" : "EUR", low: 2, marketValue: 3 }
    const depth = { low: 2, listingCount: 1, availableQuantity: 1 }
    const marketplace = {
      ...depth,
      low: { amount: 2, currency: "EUR" },
      regions: { na: { ...depth, currency: na }, eu: { ...depth, currency: "EUR" } }
    }
    return card(index + 1, {
      gameId,
      game: { id: gameId, name: gameId },
      pricesByFinish: { Standard: { sourceEur, marketplace } }
    })
  })

live(
  "a night is held when a source's prices change their currency, and the diff shows it",
  function* () {
    const catalogue = yield* catalogueFolder({
      all: [{ products: cards("all", 0) }, { products: cards("all", 200) }],
      slip: [{ products: cards("slip", 0) }, { products: cards("slip", 2) }],
      region: [{ products: cards("region", 0) }, { products: cards("region", 0, "CAD") }]
    })
    const { inHome, night, sandbox } = yield* marketplaceAndHome({ catalogue, livePrices: "frozen" })
    const first = yield* night()
    assert.strictEqual(first.verdict, "published")
    yield* Effect.forEach(["all", "slip", "region"], (gameId) => sandbox.deploy(gameId))
    const { games } = yield* night()
    assert.deepStrictEqual(
      games.map(({ gameId, verdict }) => `${gameId} ${verdict}`),
      ["all held", "slip published", "region held"]
    )
    assert.match(
      games[0]?.reason ?? "",
      /^Source EUR has 200 of 200 prices in CHF that were in EUR\nLook at the changes: /
    )
    assert.match(games[2]?.reason ?? "", /^Marketplace NA has 200 of 200 prices in CAD that were in USD\n/)

    // With the command that the reason names.
    const [, from = "", to = ""] = /cardlake diff all (\S+) (\S+)\n/.exec(games[0]?.reason ?? "") ?? []
    const found = yield* inHome(runDiff({ gameId: "all", from, to }))
    const said = found.sections.find(({ section }) => section === "currencies")
    assert.deepStrictEqual(said?.lines, [{ source: "sourceEur", old: "EUR", new: "CHF", prices: "200" }])
    assert.strictEqual(said?.products, 200)
    assert.match(diffPrinted.table(found), /Changed currencies[^]*200[^]*Source EUR[^]*EUR[^]*CHF[^]*200/)
  },
  60_000
)
