import { Schema } from "effect"
import { Count } from "../../../feed/contract/Catalogue.ts"
import { Condition, Graded } from "../inventory/Graded.ts"
import { Photo } from "../inventory/InventoryLine.ts"
import { Money } from "../Money.ts"
import { Country, Rating, SellerType } from "../orders/OrderParty.ts"

/** Who offers a listing; `shipping` is the price to the delivery country, null without one. Spec: ListingSeller. */
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
