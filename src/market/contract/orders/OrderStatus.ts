import { Schema } from "effect"

/** The 15 states of an order. Spec: States and transitions; beyond the spec: section 12. */
export const OrderStatus = Schema.Literals([
  "pending_shipment",
  "cancellation_requested",
  "shipped",
  "delivered",
  "dispute_open",
  "dispute_escalated",
  "completed",
  "cancelled_buyer",
  "cancelled_seller",
  "cancelled_auto",
  "resolved_full_refund",
  "resolved_partial_refund",
  "resolved_no_refund",
  "resolved_return",
  "resolved_goodwill_refund"
]).annotate({
  title: "OrderStatus",
  description: "`cancelled_...`, `resolved_...` and `completed` are final."
})
export type OrderStatus = typeof OrderStatus.Type

const resolved = [
  "resolved_full_refund",
  "resolved_partial_refund",
  "resolved_no_refund",
  "resolved_return",
  "resolved_goodwill_refund"
] as const satisfies ReadonlyArray<OrderStatus>

/** The states that may follow each state; those with none are final. Beyond the spec: section 12. */
export const nextStatuses: Readonly<Record<OrderStatus, ReadonlyArray<OrderStatus>>> = {
  pending_shipment: ["shipped", "cancelled_seller", "cancellation_requested", "cancelled_auto"],
  cancellation_requested: ["shipped", "cancelled_buyer", "cancelled_auto", "pending_shipment"],
  shipped: ["delivered", "completed", "dispute_open"],
  delivered: ["completed", "dispute_open"],
  dispute_open: ["dispute_escalated"],
  dispute_escalated: resolved,
  completed: [],
  cancelled_buyer: [],
  cancelled_seller: [],
  cancelled_auto: [],
  resolved_full_refund: [],
  resolved_partial_refund: [],
  resolved_no_refund: [],
  resolved_return: [],
  resolved_goodwill_refund: []
}
