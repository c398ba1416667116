import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { common, commonOfWrites } from "../../../feed/contract/Errors.ts"
import { CursorPage } from "../../../feed/contract/Paging.ts"
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
