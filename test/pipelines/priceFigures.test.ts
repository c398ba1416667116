import { shared, suite } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { catalogueFolder, card, gameId, type Json, sealed } from "../store/lake/invented.ts"
import { lakeRows } from "../store/lake/tableRows.ts"
import { marketplaceAndHome } from "./nights.ts"

const depth = { low: 2, listingCount: 1, availableQuantity: 1 }

/** A product's blocks; the marketplace adds `figures` and `block`, a whole source, one day. */
const blocks = (figures: Json, block: Json) => ({
  sourceEur: { currency: "EUR", low: 2, byCondition: { NM: { ...depth, ...figures } }, ...figures },
  sourceUsd: { currency: "USD", low: 3 },
  marketplace: {
    ...depth,
    low: { amount: 2, currency: "EUR" },
    ...figures,
    regions: { eu: { ...depth, currency: "EUR", ...figures }, na: { ...depth, currency: "USD" } }
  },
  ...block
})
const feedOf = (figures: Json, block: Json, rarity = "rare") => [
  card(1, { pricesByFinish: { Standard: blocks(figures, block) }, mood: "dim", rarity }),
  card(2, { pricesByFinish: { Standard: { sourceUsd: { currency: "USD", low: 1 } } } }),
  sealed(3, { prices: blocks(figures, block) })
]

const nights = [
  feedOf({}, {}),
  feedOf({ tide: 1.5, reeds: [{ b: 1, a: null }] }, { harbour: { low: 9 } }),
  // The same in another order, and one figure of each that moved.
  feedOf({ reeds: [{ a: null, b: 1 }], tide: 1.25 }, { harbour: { low: 8 } }),
  feedOf({ reeds: [{ b: 1, a: null }], tide: 1.25 }, { harbour: { low: 8 } }, "common")
]

const Grown = shared("GrownPrices", function* () {
  const catalogue = yield* catalogueFolder({ [gameId]: nights.map((products) => ({ products })) })
  const { inHome, night, sandbox } = yield* marketplaceAndHome({ catalogue, livePrices: "frozen" })
  const reports = [yield* night()]
  while (reports.length < nights.length) {
    yield* sandbox.deploy(gameId)
    reports.push(yield* night())
  }
  return { games: reports.flatMap(({ games }) => games), rows: (sql: string) => inHome(lakeRows(sql)) }
})

const tide = (value: number) => `{"reeds":[{"a":null,"b":1}],"tide":${value}}`
const withBuckets = (value: number) => `{"byCondition":{"NM":${tide(value)}},${tide(value).slice(1)}`

suite(Grown.layer, "a figure that the marketplace adds", (it) => {
  it("makes no version of a product, no change of the catalogue and nothing unexplained", function* () {
    const { games, rows } = yield* Grown
    assert.deepStrictEqual(
      games.map(
        ({ changes, reconciliation, verdict }) =>
          `${verdict} ${changes?.products.modifiedCatalogue} ${changes?.products.modifiedPrice} ${reconciliation?.unexplained}`
      ),
      ["published 0 0 0", "published 0 2 0", "published 0 2 0", "published 1 0 0"]
    )
    assert.deepStrictEqual(
      yield* rows(
        "select product_id, list(change order by valid_from) as versions, list(extra order by valid_from) as extras from product_history group by all order by 1"
      ),
      [
        { product_id: "1", versions: ["added", "modified"], extras: ['{"mood":"dim"}', '{"mood":"dim"}'] },
        { product_id: "2", versions: ["added"], extras: [null] },
        { product_id: "3", versions: ["added"], extras: [null] }
      ]
    )
  })

  it("is kept with its price, and so is its history", function* () {
    const { rows } = yield* Grown
    assert.deepStrictEqual(
      yield* rows("select source, extra from source_prices where product_id = 1 order by source"),
      [
        { source: "sourceEur", extra: withBuckets(1.25) },
        { source: "sourceUsd", extra: null }
      ]
    )
    const listings = "select region, extra from marketplace_prices where product_id = 3 order by region nulls first"
    assert.deepStrictEqual(yield* rows(listings), [
      { region: null, extra: tide(1.25) },
      { region: "eu", extra: tide(1.25) },
      { region: "na", extra: null }
    ])
    assert.deepStrictEqual(
      yield* rows(
        "select extra ->> 'tide' as tide from source_price_history where product_id = 3 and source = 'sourceEur' order by seen_at"
      ),
      [null, "1.5", "1.25", "1.25"].map((tide) => ({ tide }))
    )
  })

  it("is a change of class price, as is the block of an unknown source", function* () {
    const { rows } = yield* Grown
    const changes = (id: number) =>
      rows(`select field, class, old, new from changes where id = ${id} and from_snapshot in
          (select snapshot from nights where place = 2) order by field`)
    const moved = (field: string, old: string, now: string) => ({ field, class: "price", old, new: now })
    assert.deepStrictEqual(yield* changes(1), [
      moved("prices.Standard.marketplace.eu.extra", tide(1.5), tide(1.25)),
      moved("prices.Standard.marketplace.extra", tide(1.5), tide(1.25)),
      moved("prices.Standard.sourceEur.extra", withBuckets(1.5), withBuckets(1.25)),
      moved(
        "prices.extra",
        '{"pricesByFinish":{"Standard":{"harbour":{"low":9}}}}',
        '{"pricesByFinish":{"Standard":{"harbour":{"low":8}}}}'
      )
    ])
    assert.deepStrictEqual(
      (yield* changes(3)).filter(({ field }) => field === "prices.extra"),
      [moved("prices.extra", '{"prices":{"harbour":{"low":9}}}', '{"prices":{"harbour":{"low":8}}}')]
    )
    assert.deepStrictEqual(yield* rows("select extra, price_extra from products where product_id = 1"), [
      { extra: '{"mood":"dim"}', price_extra: '{"pricesByFinish":{"Standard":{"harbour":{"low":8}}}}' }
    ])
  })
})
