import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { CancelSale, ChangeMetadata, MarkShipped, RefundRequest, SalesQuery } from "../wire.ts"

/** What the account sold. Reading needs `sales:read`, the rest `sales:write`. */
export const sales = ({ call, list }: Caller) => ({
  /** Sales, newest first. */
  list: (query?: SalesQuery, options?: RequestOptions) => list("sales.sales", { query }, options),
  /** A sale with its parcel. */
  get: (orderNumber: string, options?: RequestOptions) => call("sales.sale", { path: { orderNumber } }, options),
  /** Marks it as shipped; a tracked service needs a `trackingNumber`. */
  ship: (orderNumber: string, parcel: MarkShipped, options?: RequestOptions) =>
    call("sales.markShipped", { path: { orderNumber }, body: parcel }, options),
  /** Cancels it: the buyer gets everything back. */
  cancel: (orderNumber: string, why: CancelSale, options?: RequestOptions) =>
    call("sales.cancelSale", { path: { orderNumber }, body: why }, options),
  /** Gives part of the money back, in the sale's currency. */
  refund: (orderNumber: string, refund: RefundRequest, options?: RequestOptions) =>
    call("sales.refundSale", { path: { orderNumber }, body: refund }, options),
  /** Merges pairs of your own into it, which the buyer never sees. */
  updateMetadata: (orderNumber: string, change: ChangeMetadata, options?: RequestOptions) =>
    call("sales.changeMetadata", { path: { orderNumber }, body: change }, options)
})
