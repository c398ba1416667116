import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { common, NotFound } from "../../../contract/Errors.ts"
import { Condition } from "../inventory/Graded.ts"
import { Bucket } from "../../../contract/Bucket.ts"
import { operationBuckets } from "../Limits.ts"
import { Country } from "../orders/OrderParty.ts"
import { CursorPage, cursorQuery } from "../../../contract/Paging.ts"
import { ProductListing } from "./ProductListing.ts"

const words = Schema.optionalKey(Schema.Array(Schema.NonEmptyString))

/** The offers for a product, cheapest first. Any valid key. Beyond the spec: section 6, product listings. */
export const productListingOperations = HttpApiGroup.make("productListings").add(
  HttpApiEndpoint.get("productListings", "/v1/products/:productId/listings", {
    params: { productId: Schema.String },
    query: {
      ...cursorQuery,
      condition: Schema.optionalKey(Schema.Array(Condition)),
      language: words,
      finish: words,
      region: Schema.optionalKey(Schema.Literals(["eu", "na"])),
      deliveryCountry: Schema.optionalKey(Country)
    },
    success: CursorPage(ProductListing),
    error: [...common, NotFound]
  })
    .annotate(OpenApi.Summary, "Offers for a product, cheapest first")
    .annotate(Bucket, operationBuckets.productListings)
)
