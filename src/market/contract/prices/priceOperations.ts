import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { common } from "../../../feed/contract/Errors.ts"
import { Condition, Graded } from "../inventory/InventoryLine.ts"
import { operationBuckets } from "../Limits.ts"
import { CursorPage, cursorQuery } from "../../../feed/contract/Paging.ts"
import { historyOperations, PriceSource } from "../../../feed/contract/PriceHistory.ts"
import { CatalogId, Count, GameId, Instant } from "../../../feed/contract/Catalogue.ts"
import { dialects } from "../../../feed/contract/dialect/dialects.ts"
import { priceBlocks } from "../../../feed/contract/Prices.ts"
import { Money } from "../Money.ts"

/** A sale of the last 30 days; `priceEur` uses that day's rate. Beyond the spec: section 7, recent sales. */
export const RecentSale = Schema.Struct({
  soldAt: Instant,
  region: Schema.Literals(["eu", "na"]),
  price: Money,
  priceEur: Money,
  quantity: Count,
  finish: Schema.String,
  condition: Schema.NullOr(Condition),
  language: Schema.String,
  graded: Schema.NullOr(Schema.Struct({ ...Graded.fields, gradingService: Schema.NullOr(Schema.String) }))
}).annotate({ title: "RecentSale", description: "A sale of the last 30 days; `priceEur` is by the rate of that day." })
export type RecentSale = typeof RecentSale.Type

/** Ids of a price source to look up. Beyond the spec: section 6, resolve. */
const ResolveRequest = Schema.Struct({
  marketplace: PriceSource,
  ids: Schema.Array(Count).check(Schema.isMinLength(1), Schema.isMaxLength(200))
}).annotate({ title: "ResolveRequest", description: "Ids of one price source to look up." })

/** In request order; at most one product and finish per id. Beyond the spec: section 6, resolve. */
const Resolved = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      externalId: Count,
      product: Schema.NullOr(
        Schema.Struct({
          id: CatalogId,
          name: Schema.String,
          gameId: GameId,
          expansionId: Schema.NullOr(CatalogId),
          finish: Schema.String
        }).annotate({ title: "ResolvedProduct" })
      )
    })
  )
}).annotate({ title: "Resolved", description: "In the requested order; `product` is null for an unknown id." })

/** The current prices of a product. Beyond the spec: section 7. */
const ProductPrices = Schema.Struct({
  productId: CatalogId,
  pricesByFinish: Schema.Record(Schema.String, priceBlocks(dialects.spec))
}).annotate({ title: "ProductPrices", description: "The present prices of a product, by finish." })

export const salesQuery = {
  ...cursorQuery,
  finish: Schema.optionalKey(Schema.NonEmptyString),
  condition: Schema.optionalKey(Condition),
  language: Schema.optionalKey(Schema.NonEmptyString)
}

const read = operations(common)

/** Current prices, price history and recent sales. Needs any valid key. Beyond the spec: sections 6 and 7. */
export const priceOperations = historyOperations.add(
  read("GET", "prices", "/v1/products/:productId/prices", "Present prices of a product, by finish", {
    success: ProductPrices,
    bucket: operationBuckets.prices
  }),
  read("GET", "recentSales", "/v1/products/:productId/sales", "Sales of a product in the last 30 days", {
    query: salesQuery,
    success: CursorPage(RecentSale),
    bucket: operationBuckets.recentSales
  }),
  read("POST", "resolve", "/v1/products/resolve", "Find products by their ids at a price source", {
    payload: ResolveRequest,
    success: Resolved
  })
)
