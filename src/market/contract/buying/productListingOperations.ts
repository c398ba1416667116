import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { common } from "../../../feed/contract/Errors.ts"
import { Condition, Graded, Photo } from "../inventory/InventoryLine.ts"
import { operationBuckets } from "../Limits.ts"
import { Country, Rating, SellerType } from "../orders/orderParts.ts"
import { CursorPage, cursorQuery } from "../../../feed/contract/Paging.ts"
import { Count } from "../../../feed/contract/Catalogue.ts"
import { Money } from "../Money.ts"

/** The seller of a listing. `shipping` is the price to the delivery country, or null. Spec: ListingSeller. */
export const ListingSeller = Schema.Struct({
  id: Schema.String,
  username: Schema.String,
  country: Country,
  type: SellerType,
  rating: Rating,
  shipping: Schema.NullOr(Money)
}).annotate({
  title: "ListingSeller",
  description: "Who sells. `shipping` is the price to the delivery country, null without one."
})
export type ListingSeller = typeof ListingSeller.Type

/** One seller's offer for a product. `photos` is beyond the spec: section 6. Spec: ProductListing. */
export const ProductListing = Schema.Struct({
  listingId: Schema.String,
  price: Money,
  quantity: Count,
  condition: Schema.NullOr(Condition),
  language: Schema.NullOr(Schema.String),
  finish: Schema.String,
  graded: Schema.NullOr(Graded),
  comment: Schema.NullOr(Schema.String),
  seller: ListingSeller,
  photos: Schema.Array(Photo)
}).annotate({
  title: "ProductListing",
  description: "One seller's offer for a product. `quantity` is the units for sale."
})
export type ProductListing = typeof ProductListing.Type

const words = Schema.optionalKey(Schema.Array(Schema.NonEmptyString))

const read = operations(common)

/** Listings of a product, cheapest first. Needs any valid key. Beyond the spec: section 6, product listings. */
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
