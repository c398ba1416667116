import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { common } from "../../../feed/contract/Errors.ts"
import { Condition } from "../inventory/Graded.ts"
import { operationBuckets } from "../Limits.ts"
import { Country } from "../orders/OrderParty.ts"
import { CursorPage, cursorQuery } from "../../../feed/contract/Paging.ts"
import { ProductListing } from "./ProductListing.ts"

const words = Schema.optionalKey(Schema.Array(Schema.NonEmptyString))

const read = operations(common)

/** The offers for a product, cheapest first. Any valid key. Beyond the spec: section 6, product listings. */
export const productListingOperations = HttpApiGroup.make("productListings").add(
  read("GET", "productListings", "/v1/products/:productId/listings", "Offers for a product, cheapest first", {
    query: {
      ...cursorQuery,
      condition: Schema.optionalKey(Schema.Array(Condition)),
      language: words,
      finish: words,
      region: Schema.optionalKey(Schema.Literals(["eu", "na"])),
      deliveryCountry: Schema.optionalKey(Country)
    },
    success: CursorPage(ProductListing),
    bucket: operationBuckets.productListings
  })
)
