import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { common, commonOfWrites, problem } from "../../../feed/contract/Errors.ts"
import { CursorPage, cursorQuery } from "../../../feed/contract/Paging.ts"
import { MetadataChange, Sale, SaleDetail, Purchase, PurchaseDetail, Metadata } from "./Order.ts"
import { matching, Instant } from "../../../feed/contract/Catalogue.ts"
import { Amount } from "../Money.ts"
import { OrderStatus } from "./orderParts.ts"

/** The order's status does not allow this. Beyond the spec: section 2, 409. */
export class InvalidStatus extends problem<InvalidStatus>(
  "InvalidStatus",
  "The order is in a state in which this cannot be done: `data.status`."
)(409, "INVALID_STATUS", { status: Schema.optionalKey(Schema.String) }) {}

/** A refund of this order, or its payout, is in progress. Beyond the spec: section 2, 409. */
export class RefundInProgress extends problem<RefundInProgress>(
  "RefundInProgress",
  "An earlier refund of this order, or its payout, is still on its way."
)(409, "REFUND_IN_PROGRESS", {}) {}

/** The amount exceeds the refundable rest. Beyond the spec: section 2, 409. */
export class AmountTooHigh extends problem<AmountTooHigh>(
  "AmountTooHigh",
  "More than is left to refund: `data.maxAllowed`, in the order's currency."
)(409, "AMOUNT_TOO_HIGH", { maxAllowed: Amount }) {}

/** A tracked shipping service needs a tracking number. Beyond the spec: section 2, 409. */
export class TrackingNumberRequired extends problem<TrackingNumberRequired>(
  "TrackingNumberRequired",
  "A tracked shipping service needs a tracking number."
)(409, "TRACKING_NUMBER_REQUIRED", {}) {}

/** The service ships this sale itself. The code ends with the service's name. Beyond the spec: section 2, 409. */
export class ShippingManaged extends problem<ShippingManaged>("ShippingManaged", "The service ships this sale itself.")(
  409,
  "SHIPPING_MANAGED_BY_MARKETPLACE",
  {}
) {}

/** The metadata exceeds 50 keys; nothing is stored. Spec: Metadata rules, 4; beyond the spec: section 2, 422. */
export class MetadataLimitExceeded extends problem<MetadataLimitExceeded>(
  "MetadataLimitExceeded",
  "The sale would have more than 50 keys; nothing is stored."
)(422, "METADATA_LIMIT_EXCEEDED", {}) {}

/** The carrier refused the tracking number. Beyond the spec: section 2, 422. */
export class TrackingRegistrationFailed extends problem<TrackingRegistrationFailed>(
  "TrackingRegistrationFailed",
  "The carrier did not take the tracking number."
)(422, "TRACKING_REGISTRATION_FAILED", {}) {}

/** The payment service behind the marketplace failed. The code's name is ours. Beyond the spec: section 2, 502. */
export class BadGateway extends problem<BadGateway>(
  "BadGateway",
  "The payment service behind the marketplace failed; nothing was refunded."
)(502, "BAD_GATEWAY", {}) {}

/** Filters of both order lists. Dates are inclusive. A sale list also accepts up to ten `metadata[key]=value`. */
export const orderQuery = {
  ...cursorQuery,
  status: Schema.optionalKey(Schema.Array(OrderStatus)),
  placedFrom: Schema.optionalKey(Instant),
  placedTo: Schema.optionalKey(Instant)
}

/** An untracked shipping service needs no number. Beyond the spec: section 12. */
export const MarkShipped = Schema.Struct({
  trackingNumber: Schema.optionalKey(
    Schema.String.check(matching(/^[A-Za-z0-9_-]{5,50}$/, "5 to 50 letters, digits, - or _"))
  ),
  trackingUrl: Schema.optionalKey(
    Schema.String.check(
      matching(/^https:\/\/\S+$/, "an address that begins with https://"),
      Schema.isMaxCodePoints(2048)
    )
  ),
  metadata: Schema.optionalKey(Metadata)
}).annotate({
  title: "MarkShipped",
  description: "A tracked service needs a `trackingNumber`; an untracked one does not. `metadata` is merged."
})

/** The seller's reason to cancel. Beyond the spec: section 12. */
const CancelSale = Schema.Struct({
  reason: Schema.Literals(["item_unavailable", "item_damaged", "pricing_error", "seller_other"]),
  reasonText: Schema.String.check(Schema.isMinCodePoints(10), Schema.isMaxCodePoints(500))
}).annotate({ title: "CancelSale", description: "Why the seller cancels." })

/** An amount to refund, in the order's currency. Beyond the spec: section 12. */
const RefundRequest = Schema.Struct({ amount: Amount.check(Schema.isGreaterThan(0)) }).annotate({
  title: "RefundRequest",
  description: "Part of what the buyer paid, in the sale's currency, with at most two decimals."
})

const ChangeMetadata = Schema.Struct({ metadata: MetadataChange }).annotate({ title: "ChangeMetadata" })

const readSales = operations(common, "sales:read")
const writeSales = operations(commonOfWrites, "sales:write")
const readPurchases = operations(common, "purchases:read")

/** Orders with the caller as the seller. Spec: Sale; beyond the spec: section 12. */
export const saleOperations = HttpApiGroup.make("sales").add(
  readSales("GET", "sales", "/v1/sales", "Sales, newest first", { query: orderQuery, success: CursorPage(Sale) }),
  readSales("GET", "sale", "/v1/sales/:orderNumber", "A sale with its parcel", { success: SaleDetail }),
  writeSales("POST", "markShipped", "/v1/sales/:orderNumber/mark-shipped", "Mark a sale as shipped", {
    payload: MarkShipped,
    success: SaleDetail,
    error: [InvalidStatus, TrackingNumberRequired, ShippingManaged, MetadataLimitExceeded, TrackingRegistrationFailed]
  }),
  writeSales("POST", "cancelSale", "/v1/sales/:orderNumber/cancel", "Cancel a sale", {
    payload: CancelSale,
    success: SaleDetail,
    error: [InvalidStatus]
  }),
  writeSales("POST", "refundSale", "/v1/sales/:orderNumber/refunds", "Refund part of a sale", {
    payload: RefundRequest,
    success: SaleDetail,
    error: [InvalidStatus, AmountTooHigh, RefundInProgress, BadGateway]
  }),
  writeSales("PATCH", "changeMetadata", "/v1/sales/:orderNumber/metadata", "Change the metadata of a sale", {
    payload: ChangeMetadata,
    success: SaleDetail,
    error: [MetadataLimitExceeded]
  })
)

/** Orders with the caller as the buyer. Spec: Purchase, PurchaseDetail. */
export const purchaseOperations = HttpApiGroup.make("purchases").add(
  readPurchases("GET", "purchases", "/v1/purchases", "Purchases, newest first", {
    query: orderQuery,
    success: CursorPage(Purchase)
  }),
  readPurchases("GET", "purchase", "/v1/purchases/:orderNumber", "A purchase with its address and parcel", {
    success: PurchaseDetail
  })
)
