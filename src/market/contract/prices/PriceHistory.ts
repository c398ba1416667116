import { Schema } from "effect"
import { CatalogId } from "../../../contract/Catalogue.ts"
import { dialects } from "../../../contract/dialects.ts"
import { Price, priceBlocks } from "../../../contract/Prices.ts"

/** A day, `YYYY-MM-DD`. */
export const Day = Schema.String.check(
  Schema.makeFilter(
    (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true,
    { expected: "a day such as 2024-03-01", toJsonSchema: () => ({ format: "date" }) }
  )
)

/** A third-party price source. */
export const PriceSource = Schema.Literals(["sourceEur", "sourceUsd"])

/** What one source said about one finish on one day. Beyond the spec: section 7, history row. */
export const HistoryRow = Schema.Struct({
  date: Day,
  marketplace: PriceSource,
  finish: Schema.String,
  low: Schema.optionalKey(Price),
  mid: Schema.optionalKey(Price),
  high: Schema.optionalKey(Price),
  marketValue: Schema.optionalKey(Price)
}).annotate({
  title: "HistoryRow",
  description: "What one source said about one finish on one day, in the source's currency, major unit."
})
export type HistoryRow = typeof HistoryRow.Type

/** Oldest day first; days without a snapshot are missing. Beyond the spec: section 7. */
export const PriceHistory = Schema.Struct({
  productId: CatalogId,
  from: Day,
  to: Day,
  data: Schema.Array(HistoryRow)
}).annotate({
  title: "PriceHistory",
  description: "Oldest day first; days without a snapshot are missing."
})

/** The present prices of a product. Beyond the spec: section 7. */
export const ProductPrices = Schema.Struct({
  productId: CatalogId,
  pricesByFinish: Schema.Record(Schema.String, priceBlocks(dialects.spec))
}).annotate({
  title: "ProductPrices",
  description: "The present prices of a product, by finish."
})
