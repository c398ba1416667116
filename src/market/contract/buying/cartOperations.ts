import { operations } from "../operationRows.ts"
import { HttpApiGroup } from "effect/http-api"
import { common, commonOfWrites } from "../../../feed/contract/Errors.ts"
import { DeleteBody } from "../inventory/inventoryOperations.ts"
import { AddedToCart, AddToCart, Cart, CartQuantity } from "./Cart.ts"

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
