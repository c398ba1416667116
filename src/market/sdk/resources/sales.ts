import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { CancelSale, ChangeMetadata, MarkShipped, RefundRequest, SalesQuery } from "../wire.ts"

/** The account's sales. Reading needs `sales:read`, the rest `sales:write`. */
export const sales = ({ call, list }: Caller) => ({
  /** Sales, newest first. */
  list: (query?: SalesQuery, options?: RequestOptions) => list("sales.sales", { query }, options),
  /** A sale with its parcel. */
  get: (orderNumber: string, options?: RequestOptions) => call("sales.sale", { path: { orderNumber } }, options),
  /** Marks a sale as shipped. A tracked service needs a `trackingNumber`. */
  ship: (orderNumber: string, parcel: MarkShipped, options?: RequestOptions) =>
    call("sales.markShipped", { path: { orderNumber }, body: parcel }, options),
  /** Cancels a sale and refunds the buyer completely. */
  cancel: (orderNumber: string, why: CancelSale, options?: RequestOptions) =>
    call("sales.cancelSale", { path: { orderNumber }, body: why }, options),
  /** Refunds an amount in the sale's currency. */
  refund: (orderNumber: string, refund: RefundRequest, options?: RequestOptions) =>
    call("sales.refundSale", { path: { orderNumber }, body: refund }, options),
  /** Merges your metadata into a sale. The buyer never sees it. */
  updateMetadata: (orderNumber: string, change: ChangeMetadata, options?: RequestOptions) =>
    call("sales.changeMetadata", { path: { orderNumber }, body: change }, options)
})
