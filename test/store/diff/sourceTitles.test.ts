import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { diffPrinted } from "../../../pipelines/print/diffPrinted.ts"
import { diffSnapshots } from "../../../src/store/diff/diffSnapshots.ts"
import { judge, sayings } from "../../../src/store/diff/judge.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { emptyHome, type Said, snapshotOf } from "../lake/handMadeNights.ts"
import { card, gameId } from "../lake/invented.ts"
import { testIn } from "../../support/suite.ts"

/** Four cards in the words of the live service; on the second day TCGplayer has no price and Cardmarket another id. */
const said = (day: 1 | 2): Said => ({
  dialect: "live",
  products: [1, 2, 3, 4].map((id) =>
    card(id, {
      pricesByFinish: {
        Standard: {
          cardmarket: { currency: "EUR", marketValue: 3 + day },
          ...(day === 1 ? { tcgplayer: { currency: "USD", marketValue: 9 } } : {}),
          cardnexus: {
            low: { amount: 5, currency: "EUR" },
            listingCount: 1,
            availableQuantity: 1,
            regions: { na: { currency: day === 1 ? "USD" : "CAD", low: 5, listingCount: 1, availableQuantity: 1 } }
          }
        }
      },
      externalIds: { cardmarket: [{ finish: "Standard", id: 10 * day + id }] }
    })
  )
})

testIn(emptyHome)(
  "the verdict and the notes of a reading in the live service's words have its names; JSON has the spec's",
  function* () {
    const first = yield* snapshotOf("a", said(1))
    const second = yield* snapshotOf("b", said(2), first)
    const diff = yield* diffSnapshots(first, second, (yield* Home).changes(gameId, second.manifest.snapshot))
    const reasons = yield* judge(first, second, diff)
    assert.includeMembers(
      [...sayings(reasons)],
      [
        "TCGplayer prices 0.0 % of the products, down from 100.0 %: over 20.0 percentage points less",
        "CardNexus NA has 4 of 4 prices in CAD that were in USD"
      ]
    )
    const found = yield* runDiff({ gameId, from: "a", to: "b" })
    const text = diffPrinted.table(found)
    for (const name of ["Cardmarket", "TCGplayer", "CardNexus NA"]) assert.include(text, name)
    // A field is a place of the record, by which changes are chosen.
    assert.notMatch(text.replaceAll("external_ids.sourceEur", ""), /sourceEur|sourceUsd|marketplace\.na/)
    const { sections } = JSON.parse(diffPrinted.json(found)) as typeof found
    const wordsOf = (name: string) => [
      ...new Set(
        sections.find(({ section }) => section === name)?.lines.map((line) => line["source"] ?? line["system"])
      )
    ]
    assert.deepStrictEqual(
      [wordsOf("moves"), wordsOf("vanished"), wordsOf("currencies"), wordsOf("remapped")],
      [["sourceEur"], ["sourceUsd"], ["marketplace.na"], ["sourceEur"]]
    )
  }
)

testIn(emptyHome)("prices that change their currency hold a night and are shown by diff, but for a few", function* () {
  const cards = (swiss: number): Said => ({
    products: Array.from({ length: 200 }, (_, index) => {
      const sourceEur = { currency: index < swiss ? "CHF" : "EUR", low: 2, marketValue: 3 }
      return card(index + 1, { pricesByFinish: { Standard: { sourceEur } } })
    })
  })
  const first = yield* snapshotOf("a", cards(0))
  const { changes } = yield* Home
  const reasons = Effect.fnUntraced(function* (name: string, swiss: number) {
    const second = yield* snapshotOf(name, cards(swiss), first)
    const diff = yield* diffSnapshots(first, second, changes(gameId, second.manifest.snapshot))
    return sayings(yield* judge(first, second, diff))
  })
  assert.deepStrictEqual(yield* reasons("b", 200), ["Source EUR has 200 of 200 prices in CHF that were in EUR"])
  assert.deepStrictEqual(yield* reasons("c", 2), [])
  const found = yield* runDiff({ gameId, from: "a", to: "b" })
  const section = found.sections.find((one) => one.section === "currencies")
  assert.deepStrictEqual(section?.lines, [{ source: "sourceEur", old: "EUR", new: "CHF", prices: "200" }])
  assert.match(diffPrinted.table(found), /Changed currencies[^]*200[^]*Source EUR[^]*EUR[^]*CHF[^]*200/)
})
