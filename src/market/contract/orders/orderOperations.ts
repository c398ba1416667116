import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { common, NotFound, commonOfWrites } from "../../../contract/Errors.ts"
import { CursorPage } from "../../../contract/Paging.ts"
import { needs } from "../../../contract/Scopes.ts"
import { MetadataChange } from "./Metadata.ts"
import {
  AmountTooHigh,
  BadGateway,
  InvalidStatus,
  MetadataLimitExceeded,
  RefundInProgress,
  ShippingManaged,
  TrackingNumberRequired,
  TrackingRegistrationFailed
} from "./OrderErrors.ts"
import { CancelSale, MarkShipped, orderQuery, RefundRequest } from "./OrderRequests.ts"
import { Purchase, PurchaseDetail } from "./Purchase.ts"
import { Sale, SaleDetail } from "./Sale.ts"

const order = { orderNumber: Schema.String }
const write = needs("sales:write")
const ChangeMetadata = Schema.Struct({ metadata: MetadataChange }).annotate({ title: "ChangeMetadata" })

/** Orders with the caller as the seller. Spec: Sale; beyond the spec: section 12. */
export const saleOperations = HttpApiGroup.make("sales").add(
  HttpApiEndpoint.get("sales", "/v1/sales", {
    query: orderQuery,
    success: CursorPage(Sale),
    error: common
  })
    .annotate(OpenApi.Summary, "Sales, newest first")
    .annotateMerge(needs("sales:read")),
  HttpApiEndpoint.get("sale", "/v1/sales/:orderNumber", {
    params: order,
    success: SaleDetail,
    error: [...common, NotFound]
  })
    .annotate(OpenApi.Summary, "A sale with its parcel")
    .annotateMerge(needs("sales:read")),
  HttpApiEndpoint.post("markShipped", "/v1/sales/:orderNumber/mark-shipped", {
    params: order,
    payload: MarkShipped,
    success: SaleDetail,
    error: [
      ...commonOfWrites,
      NotFound,
      InvalidStatus,
      TrackingNumberRequired,
      ShippingManaged,
      MetadataLimitExceeded,
      TrackingRegistrationFailed
    ]
  })
    .annotate(OpenApi.Summary, "Mark a sale as shipped")
    .annotateMerge(write),
  HttpApiEndpoint.post("cancelSale", "/v1/sales/:orderNumber/cancel", {
    params: order,
    payload: CancelSale,
    success: SaleDetail,
    error: [...commonOfWrites, NotFound, InvalidStatus]
  })
    .annotate(OpenApi.Summary, "Cancel a sale")
    .annotateMerge(write),
  HttpApiEndpoint.post("refundSale", "/v1/sales/:orderNumber/refunds", {
    params: order,
    payload: RefundRequest,
    success: SaleDetail,
    error: [...commonOfWrites, NotFound, InvalidStatus, AmountTooHigh, RefundInProgress, BadGateway]
  })
    .annotate(OpenApi.Summary, "Refund part of a sale")
    .annotateMerge(write),
  HttpApiEndpoint.patch("changeMetadata", "/v1/sales/:orderNumber/metadata", {
    params: order,
    payload: ChangeMetadata,
    success: SaleDetail,
    error: [...commonOfWrites, NotFound, MetadataLimitExceeded]
  })
    .annotate(OpenApi.Summary, "Change the metadata of a sale")
    .annotateMerge(write)
)

/** Orders with the caller as the buyer. Spec: Purchase, PurchaseDetail. */
export const purchaseOperations = HttpApiGroup.make("purchases").add(
  HttpApiEndpoint.get("purchases", "/v1/purchases", {
    query: orderQuery,
    success: CursorPage(Purchase),
    error: common
  })
    .annotate(OpenApi.Summary, "Purchases, newest first")
    .annotateMerge(needs("purchases:read")),
  HttpApiEndpoint.get("purchase", "/v1/purchases/:orderNumber", {
    params: order,
    success: PurchaseDetail,
    error: [...common, NotFound]
  })
    .annotate(OpenApi.Summary, "A purchase with its address and parcel")
    .annotateMerge(needs("purchases:read"))
)
