import { Order, Schema } from "effect"
import { absent, Count, matching } from "./Catalogue.ts"
import type { Dialect } from "./dialect/dialects.ts"

/** A double carries figures below this exactly to six decimal places; four are stored. */
export const maxPrice = 9_000_000_000

/**
 * A price in the block's own currency, major unit: 14.99 is 14.99 EUR. Never converted or rounded: more
 * than four places are refused. One check, not three: it runs over every figure of a night. Spec: Money.
 */
// @effect-diagnostics-next-line schemaNumber:off -- infinite figures and NaN fail the comparisons
export const Price = Schema.Number.check(
  Schema.makeFilter((amount) => amount >= 0 && amount <= maxPrice && Math.round(amount * 10_000) / 10_000 === amount, {
    expected: `a decimal with at most four places between 0 and ${maxPrice}`,
    // Without the name of a finite number, OpenAPI would say that NaN is sent as text.
    representation: { id: "effect/schema/isFinite", payload: null },
    toJsonSchema: () => ({ type: "number", minimum: 0, maximum: maxPrice }),
    arbitraryConstraint: { number: "finite", order: Order.Number, minimum: 0, maximum: maxPrice }
  })
)

/** Percent against the earlier price: 5 is +5 %. Rounded to DECIMAL(12,4), as it is not money. Spec: Prices. */
export const Percent = Schema.Finite

/** A currency as text: the spec lists five, the live service ten. Beyond the spec: section 15, row 3. */
export const Currency = Schema.String.check(matching(/^[A-Z]{3}$/, "a three-letter currency"))

/** An amount in a price block, with its currency. Beyond the spec: section 7. */
export const BlockMoney = Schema.Struct({ amount: Price, currency: Currency }).annotate({
  title: "BlockMoney",
  description: "An amount in a price block, major unit: 14.99 is 14.99 EUR. Up to four decimals."
})

/** Depth of one bucket of a price source; every figure may be absent. Beyond the spec: section 7. */
const SourceDepth = { low: absent(Price), listingCount: absent(Count), availableQuantity: absent(Count) }

const sourceFigures = {
  low: absent(Price),
  mid: absent(Price),
  high: absent(Price),
  marketValue: absent(Price),
  change24h: absent(Percent),
  change7d: absent(Percent),
  change30d: absent(Percent),
  byCondition: absent(
    Schema.Record(
      Schema.String,
      Schema.Struct({ ...SourceDepth, byLanguage: absent(Schema.Record(Schema.String, Schema.Struct(SourceDepth))) })
    )
  )
}

const sourceWords = {
  title: "SourcePrice",
  description:
    "What a price source says once a day, in `currency`, major unit; changes are in percent: 5 is +5 %. An absent figure is unknown."
}

/**
 * One third-party source's prices for one finish of a product, updated daily. `currency` applies to blocks that
 * name none. Absent key: the source has no such figure. Spec: Prices, blocks `sourceEur` and `sourceUsd`.
 */
export const sourcePrice = (currency: string | null) =>
  currency === null
    ? Schema.Struct({ currency: Currency, ...sourceFigures }).annotate(sourceWords)
    : Schema.Struct({ currency: absent(Currency), ...sourceFigures }).annotate(sourceWords)

/** Live depth of one bucket: lowest price in the region's currency, listings, units. Beyond the spec: section 7. */
const Depth = { low: Price, listingCount: Count, availableQuantity: Count }

/** Live listings of one region (`eu` in EUR, `na` in USD). A region without listings has no key. Spec: Prices. */
export const RegionPrice = Schema.Struct({
  currency: Currency,
  ...Depth,
  byCondition: absent(
    Schema.Record(
      Schema.String,
      Schema.Struct({ ...Depth, byLanguage: absent(Schema.Record(Schema.String, Schema.Struct(Depth))) })
    )
  )
}).annotate({
  title: "RegionPrice",
  description: "Live listings of one region: `eu` in EUR, `na` in USD. A region without listings has no key."
})

/** Live listings over all regions; `low` is the EUR-converted floor. Spec: Prices, block `marketplace`. */
export const MarketplacePrice = Schema.Struct({
  low: BlockMoney,
  listingCount: Count,
  availableQuantity: Count,
  regions: absent(Schema.Record(Schema.String, RegionPrice))
}).annotate({
  title: "MarketplacePrice",
  description: "Live listings over all regions. `low` is the lowest price of all, converted to EUR."
})

/** The price blocks of one finish (cards) or of the product (sealed). Absent, never empty. Spec: Prices. */
export const priceBlocks = ({ blocks, currencies }: Dialect) =>
  Schema.Struct({
    [blocks.sourceEur]: absent(sourcePrice(currencies.sourceEur)),
    [blocks.sourceUsd]: absent(sourcePrice(currencies.sourceUsd)),
    [blocks.marketplace]: absent(MarketplacePrice)
  }).annotate({ title: "PriceBlocks", description: "A block is absent when its source has no price; never 0." })
