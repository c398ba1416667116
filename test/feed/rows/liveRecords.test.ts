import { assert, describe, it } from "@effect/vitest"
import { dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import type { PageKind } from "../../../src/feed/contract/records.ts"
import { acceptPage } from "../../../src/feed/rows/acceptPage.ts"
import { recordRules } from "../../../src/feed/rows/recordRules.ts"
import { detectDialect } from "../../../src/feed/rows/detectDialect.ts"

const game = { gameId: "fable", game: { id: "fable", name: "Fable" } }
const listed = { currency: "EUR", low: 79, listingCount: 4, availableQuantity: 9, byCondition: {} }
const marketplace = {
  low: { amount: 79, currency: "EUR" },
  listingCount: 4,
  availableQuantity: 9,
  regions: { eu: listed }
}

/** Products as readers of the live service have them in their tests, invented names apart. */
const products = [
  {
    id: 152_375,
    ...game,
    productType: "sealed",
    name: "Tower of Salt - Booster Box",
    nameSlug: "tower-of-salt-booster-box",
    expansionId: 17,
    expansion: { id: 17, code: null, name: "Tower of Salt" },
    languages: ["en", "fr", "ja", "zh-cn"],
    imageUrl: "https://img.example/1.png",
    productCategory: "booster_box",
    externalIds: {
      cardmarket: [{ finish: "Standard", id: 714_443 }],
      tcgplayer: [{ finish: "Standard", id: 477_176 }]
    },
    prices: { cardmarket: { currency: "EUR", low: 70.5, marketValue: 82.1, change7d: -1.2 }, cardnexus: marketplace }
  },
  {
    id: 152_376,
    ...game,
    productType: "card",
    name: "Salt Warden",
    nameSlug: "salt-warden",
    expansionId: null,
    expansion: null,
    languages: ["en"],
    rarity: "super rare",
    finishes: ["Standard", "Foil"],
    printNumber: null,
    variant: null,
    imageBackUrl: null,
    externalIds: {
      scryfallId: "5f1a",
      scryfallOracleId: "77c0",
      konamiId: null,
      dreambornId: "x-1",
      fabId: "T1",
      riotId: "r"
    },
    attributes: {},
    pricesByFinish: {
      Standard: {
        cardmarket: {
          currency: "SEK",
          low: null,
          change24h: null,
          byCondition: { NM: { low: 1.5 }, EX: { listingCount: 2, byLanguage: { en: { availableQuantity: 3 } } } }
        },
        cardnexus: marketplace
      },
      Foil: {}
    }
  },
  {
    id: 152_377,
    ...game,
    productType: "card",
    name: "Unpriced",
    nameSlug: "unpriced",
    languages: [],
    finishes: [],
    attributes: {},
    pricesByFinish: {}
  }
]

const counts = { added: 0, modified: 2, removed: 1 }
const changelog = [
  {
    id: "c1",
    deployedAt: "2026-11-18T02:11:47.000Z",
    summary: { products: counts, expansions: { ...counts, removed: 0 } },
    changes: {
      products: {
        added: [],
        modified: [{ slug: "tw03-tower-of-salt-booster-box", productId: 152_375 }, { slug: "gone-since" }],
        removed: [{ slug: "tw03-salt-warden" }]
      },
      expansions: { added: [], modified: [{ slug: "tower-of-salt", expansionId: 17 }, { slug: "gone" }], removed: [] }
    }
  }
]

const expansions = [
  { id: 17, gameId: "fable", name: "Tower of Salt", code: null, releaseDate: "2026-03-01T00:00:00.000Z" }
]

const accepted = (kind: PageKind, data: ReadonlyArray<unknown>) => {
  const text = JSON.stringify({ data })
  const { refusals, unknownKeys } = acceptPage(
    recordRules(dialects.live)[kind],
    "fable",
    { text, plain: Buffer.from(text), data },
    () => {}
  )
  return { refusals, unknownKeys: [...unknownKeys.keys()] }
}

describe("records of the live service", () => {
  for (const [kind, records] of [
    ["products", products],
    ["changelog", changelog],
    ["expansions", expansions]
  ] as const) {
    it(`${kind} are accepted, and no key is unknown`, () =>
      assert.deepStrictEqual(accepted(kind, records), { refusals: [], unknownKeys: [] }))
  }

  it("are seen to be in its words, as a page of July's is in July's", () => {
    assert.deepStrictEqual(detectDialect(products).fits, ["live"])
    const blocks = { eur: { low: 70.5 }, usd: { low: 90 } }
    assert.deepStrictEqual(detectDialect([{ prices: blocks }]).fits, ["live-july"])
  })

  it("that have more keys, as July's sealed products have, keep them beside what is known", () => {
    const [sealed] = products
    const { refusals, unknownKeys } = accepted("products", [{ ...sealed, ean: "401", sku: "TS-1", slug: "tw03-tower" }])
    assert.deepStrictEqual(refusals, [])
    assert.deepStrictEqual(unknownKeys.toSorted(), ["ean", "sku", "slug"])
  })
})
