import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { common, NotFound } from "../../../contract/Errors.ts"
import { Condition } from "../inventory/Graded.ts"
import { Bucket } from "../../../contract/Bucket.ts"
import { operationBuckets } from "../Limits.ts"
import { CursorPage, cursorQuery } from "../../../contract/Paging.ts"
import { historyOperations } from "../../../contract/PriceHistory.ts"
import { ProductPrices } from "./ProductPrices.ts"
import { RecentSale } from "./RecentSale.ts"
import { Resolved, ResolveRequest } from "./Resolve.ts"

const product = { productId: Schema.String }
const error = [...common, NotFound] as const

/** What a product costs, did cost and was sold for. Any valid key. Beyond the spec: sections 6 and 7. */
export const priceOperations = historyOperations.add(
  HttpApiEndpoint.get("prices", "/v1/products/:productId/prices", {
    params: product,
    success: ProductPrices,
    error
  })
    .annotate(OpenApi.Summary, "Present prices of a product, by finish")
    .annotate(Bucket, operationBuckets.prices),
  HttpApiEndpoint.get("recentSales", "/v1/products/:productId/sales", {
    params: product,
    query: {
      ...cursorQuery,
      finish: Schema.optionalKey(Schema.NonEmptyString),
      condition: Schema.optionalKey(Condition),
      language: Schema.optionalKey(Schema.NonEmptyString)
    },
    success: CursorPage(RecentSale),
    error
  })
    .annotate(OpenApi.Summary, "Sales of a product in the last 30 days")
    .annotate(Bucket, operationBuckets.recentSales),
  HttpApiEndpoint.post("resolve", "/v1/products/resolve", {
    payload: ResolveRequest,
    success: Resolved,
    error: common
  }).annotate(OpenApi.Summary, "Find products by their ids at a price source")
)
