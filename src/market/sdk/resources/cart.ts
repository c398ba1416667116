import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { AddToCart, CartQuantity } from "../wire.ts"

/** The cart. The API has no checkout: orders are paid in the web shop. Reading needs `cart:read`, the rest `cart:write`. */
export const cart = ({ call }: Caller) => ({
  /** What is in the cart. */
  get: (options?: RequestOptions) => call("cart.cart", {}, options),
  /** Puts listings into it; what could not be added is in the answer's `errors`. */
  add: (listings: AddToCart, options?: RequestOptions) => call("cart.addItems", { body: listings }, options),
  /** Changes how many of a listing are in it. */
  update: (listingId: string, change: CartQuantity, options?: RequestOptions) =>
    call("cart.changeItem", { path: { listingId }, body: change }, options),
  /** Takes a listing out of it. */
  remove: (listingId: string, options?: RequestOptions) => call("cart.removeItem", { path: { listingId } }, options),
  /** Empties it. */
  empty: (options?: RequestOptions) => call("cart.emptyCart", {}, options)
})
