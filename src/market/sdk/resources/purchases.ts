import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { PurchasesQuery } from "../wire.ts"

/** The account's purchases. Needs the scope `purchases:read`. */
export const purchases = ({ call, list }: Caller) => ({
  /** Purchases, newest first. */
  list: (query?: PurchasesQuery, options?: RequestOptions) => list("purchases.purchases", { query }, options),
  /** A purchase with its address and parcel. */
  get: (orderNumber: string, options?: RequestOptions) => call("purchases.purchase", { path: { orderNumber } }, options)
})
