import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { ListingsQuery, ListLine, RepriceLine, UnlistLine } from "../wire.ts"

/** Lines of the stock that are for sale. Reading needs `listings:read`, the rest `listings:write`. */
export const listings = ({ call, list }: Caller) => ({
  /** The lines that are for sale. */
  list: (query?: ListingsQuery, options?: RequestOptions) => list("listings.listings", { query }, options),
  /** Offers a line, or some of its units, for sale. */
  create: (inventoryId: string, listing: ListLine, options?: RequestOptions) =>
    call("listings.list", { path: { inventoryId }, body: listing }, options),
  /** Changes a listing's price. */
  update: (inventoryId: string, change: RepriceLine, options?: RequestOptions) =>
    call("listings.reprice", { path: { inventoryId }, body: change }, options),
  /** Removes a listing, or some of its units, from sale. */
  delete: (inventoryId: string, units?: UnlistLine, options?: RequestOptions) =>
    call("listings.unlist", { path: { inventoryId }, body: units }, options)
})
