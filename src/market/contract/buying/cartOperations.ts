import { operations } from "../operationRows.ts"
import { HttpApiGroup } from "effect/http-api"
import { common, commonOfWrites } from "../../../feed/contract/Errors.ts"
import { DeleteBody } from "../inventory/inventoryOperations.ts"
import { Schema } from "effect"
import { CatalogId, Count, Instant } from "../../../feed/contract/Catalogue.ts"
import { Condition, Graded } from "../inventory/InventoryLine.ts"
import { limits } from "../Limits.ts"
import { Money } from "../Money.ts"
import { Country } from "../orders/orderParts.ts"
import { ListingSeller } from "./productListingOperations.ts"

/** One listing in the cart. Nothing is reserved. Beyond the spec: section 13. */
const CartItem = Schema.Struct({
  listingId: Schema.String,
  productId: CatalogId,
  productName: Schema.String,
  imageUrl: Schema.NullOr(Schema.String),
  condition: Schema.NullOr(Condition),
  language: Schema.NullOr(Schema.String),
  finish: Schema.String,
  graded: Schema.NullOr(Graded),
  quantity: Count,
  unitPrice: Money,
  lineTotal: Money,
  addedAt: Instant
}).annotate({ title: "CartItem", description: "What is in the cart of one listing. Nothing is reserved." })

/** A cart holds listings of one region; `deliveryCountry` is null while it is empty. Beyond the spec: section 13. */
export const Cart = Schema.Struct({
  deliveryCountry: Schema.NullOr(Country),
  itemCount: Count,
  sellers: Schema.Array(
    Schema.Struct({ seller: ListingSeller, itemsSubtotal: Money, items: Schema.Array(CartItem) }).annotate({
      title: "CartSeller"
    })
  )
}).annotate({
  title: "Cart",
  description: "Listings of one region. `deliveryCountry` is null while the cart is empty."
})
export type Cart = typeof Cart.Type

/** Listings to add. Another country changes the cart's country first. */
export const AddToCart = Schema.Struct({
  deliveryCountry: Country,
  items: Schema.Array(
    Schema.Struct({ listingId: Schema.String, quantity: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)) }).annotate({
      title: "CartAddition"
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(limits.itemsPerCartCall))
}).annotate({ title: "AddToCart", description: "Listings to add. Another delivery country switches the cart to it." })

/** Why a listing was not added. `QUANTITY_LIMIT_EXCEEDED` has data `max`. Beyond the spec: section 13. */
export const CartErrorCode = Schema.Literals([
  "LISTING_NOT_FOUND",
  "OWN_LISTING",
  "INSUFFICIENT_QUANTITY",
  "QUANTITY_LIMIT_EXCEEDED",
  "REGION_MISMATCH",
  "SELLER_DOES_NOT_SHIP_TO_COUNTRY",
  "SELLER_UNAVAILABLE",
  "BUYER_EXCLUDED"
])
export type CartErrorCode = typeof CartErrorCode.Type

/** The cart after the call, and the items that were not added. */
const AddedToCart = Schema.Struct({
  cart: Cart,
  errors: Schema.Array(
    Schema.Struct({
      index: Schema.Int,
      listingId: Schema.String,
      code: CartErrorCode,
      data: Schema.Record(Schema.String, Schema.Unknown)
    }).annotate({ title: "CartError" })
  )
}).annotate({
  title: "AddedToCart",
  description: "The cart after the call, and what did not get into it; `index` counts the request's items from 0."
})

/** The new quantity; 0 removes the item. */
const CartQuantity = Schema.Struct({ quantity: Count }).annotate({
  title: "CartQuantity",
  description: "Replaces the quantity; 0 removes the item."
})

const read = operations(common, "cart:read")
const write = operations(commonOfWrites, "cart:write")

/** The caller's cart. The API has no checkout: orders are paid in the web shop. Beyond the spec: section 13. */
export const cartOperations = HttpApiGroup.make("cart").add(
  read("GET", "cart", "/v1/cart", "The cart", { success: Cart }),
  write("DELETE", "emptyCart", "/v1/cart", "Empty the cart", { payload: DeleteBody, success: Cart }),
  write("POST", "addItems", "/v1/cart/items", "Put listings into the cart", {
    payload: AddToCart,
    success: AddedToCart
  }),
  write("PATCH", "changeItem", "/v1/cart/items/:listingId", "Change how many of a listing are in the cart", {
    payload: CartQuantity,
    success: Cart
  }),
  write("DELETE", "removeItem", "/v1/cart/items/:listingId", "Take a listing out of the cart", {
    payload: DeleteBody,
    success: Cart
  })
)
