import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { AddToCart, CartQuantity } from "../wire.ts"

/** The cart. The API has no checkout: orders are paid in the web shop. Reading needs `cart:read`, the rest `cart:write`. */
export const cart = ({ call }: Caller) => ({
  /** The contents of the cart. */
  get: (options?: RequestOptions) => call("cart.cart", {}, options),
  /** Adds listings. The answer's `errors` has those that could not be added. */
  add: (listings: AddToCart, options?: RequestOptions) => call("cart.addItems", { body: listings }, options),
  /** Changes the quantity of a listing. */
  update: (listingId: string, change: CartQuantity, options?: RequestOptions) =>
    call("cart.changeItem", { path: { listingId }, body: change }, options),
  /** Removes a listing. */
  remove: (listingId: string, options?: RequestOptions) => call("cart.removeItem", { path: { listingId } }, options),
  /** Removes all listings. */
  empty: (options?: RequestOptions) => call("cart.emptyCart", {}, options)
})
