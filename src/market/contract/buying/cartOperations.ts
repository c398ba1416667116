import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { common, NotFound, commonOfWrites } from "../../../contract/Errors.ts"
import { DeleteBody } from "../inventory/inventoryOperations.ts"
import { needs } from "../../../contract/Scopes.ts"
import { AddedToCart, AddToCart, Cart, CartQuantity } from "./Cart.ts"

const item = { listingId: Schema.String }
const write = needs("cart:write")

/** The caller's cart. The API has no checkout: orders are paid in the web shop. Beyond the spec: section 13. */
export const cartOperations = HttpApiGroup.make("cart").add(
  HttpApiEndpoint.get("cart", "/v1/cart", { success: Cart, error: common })
    .annotate(OpenApi.Summary, "The cart")
    .annotateMerge(needs("cart:read")),
  HttpApiEndpoint.delete("emptyCart", "/v1/cart", {
    payload: DeleteBody,
    success: Cart,
    error: commonOfWrites
  })
    .annotate(OpenApi.Summary, "Empty the cart")
    .annotateMerge(write),
  HttpApiEndpoint.post("addItems", "/v1/cart/items", {
    payload: AddToCart,
    success: AddedToCart,
    error: commonOfWrites
  })
    .annotate(OpenApi.Summary, "Put listings into the cart")
    .annotateMerge(write),
  HttpApiEndpoint.patch("changeItem", "/v1/cart/items/:listingId", {
    params: item,
    payload: CartQuantity,
    success: Cart,
    error: [...commonOfWrites, NotFound]
  })
    .annotate(OpenApi.Summary, "Change how many of a listing are in the cart")
    .annotateMerge(write),
  HttpApiEndpoint.delete("removeItem", "/v1/cart/items/:listingId", {
    params: item,
    payload: DeleteBody,
    success: Cart,
    error: [...commonOfWrites, NotFound]
  })
    .annotate(OpenApi.Summary, "Take a listing out of the cart")
    .annotateMerge(write)
)
