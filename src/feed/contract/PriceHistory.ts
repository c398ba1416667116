import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Bucket, pricingHistory } from "./Bucket.ts"
import { absent, CatalogId } from "./Catalogue.ts"
import { common, NotFound } from "./Errors.ts"
import { Currency, Price } from "./Prices.ts"

/** A day, `YYYY-MM-DD`. */
export const Day = Schema.String.check(
  Schema.makeFilter(
    (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true,
    { expected: "a day such as 2024-03-01", toJsonSchema: () => ({ format: "date" }) }
  )
)

export const PriceSource = Schema.Literals(["sourceEur", "sourceUsd"])

/** One source's prices for one finish on one day. Beyond the spec: section 7, history row. */
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

/** A history row as a client accepts it: the source in any dialect's words, with an optional currency. */
export const ReceivedHistoryRow = Schema.Struct({
  date: Day,
  marketplace: Schema.NonEmptyString,
  finish: Schema.NonEmptyString,
  currency: absent(Currency),
  low: absent(Price),
  mid: absent(Price),
  high: absent(Price),
  marketValue: absent(Price)
})

/** Oldest day first; days without a snapshot are missing. Beyond the spec: section 7. */
export const PriceHistory = Schema.Struct({
  productId: CatalogId,
  from: Day,
  to: Day,
  data: Schema.Array(HistoryRow)
}).annotate({ title: "PriceHistory", description: "Oldest day first; days without a snapshot are missing." })

/** The maximum days in one answer, both ends included. Beyond the spec: section 7. */
export const maxHistoryDays = 365

/** A product's prices of days past. Any valid key. Beyond the spec: section 7. */
export const historyOperations = HttpApiGroup.make("prices").add(
  HttpApiEndpoint.get("priceHistory", "/v1/products/:productId/prices/history", {
    params: { productId: Schema.String },
    query: {
      marketplace: Schema.optionalKey(PriceSource),
      finish: Schema.optionalKey(Schema.NonEmptyString),
      from: Schema.optionalKey(Day),
      to: Schema.optionalKey(Day)
    },
    success: PriceHistory,
    error: [...common, NotFound]
  })
    .annotate(OpenApi.Summary, "Daily prices of a product, oldest day first")
    .annotate(Bucket, pricingHistory)
)
