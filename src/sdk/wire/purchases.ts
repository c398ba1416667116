// Generated from the contract by: node test/sdk/writeWire.ts
import type { Cancellation, OrderParty, Shipping, ShippingAddress } from "./orders.ts"
import type { Condition, CursorPagination, Graded, MarketCurrency, Money, OrderStatus } from "./shared.ts"

/** A purchase with its address and parcel. `shipping`, `refund` and `cancellation` are null until there is one. */
export interface PurchaseDetail {
  orderNumber: string
  status: OrderStatus
  /** ISO 8601, UTC. */
  placedAt: string
  /** ISO 8601, UTC. */
  updatedAt: string
  /** ISO 8601, UTC. */
  shippedAt: string | null
  /** ISO 8601, UTC. */
  deliveredAt: string | null
  /** ISO 8601, UTC. */
  completedAt: string | null
  currency: MarketCurrency
  items: Array<OrderItem>
  subtotal: Money
  shippingAmount: Money
  buyerFee: Money
  tax: Money
  total: Money
  seller: OrderParty
  shippingAddress: ShippingAddress
  shipping: Shipping | null
  refund: Refund | null
  cancellation: Cancellation | null
}

/** Money returned; `refundedAt` is null while it is on its way. */
export interface Refund {
  amount: Money
  /** ISO 8601, UTC. */
  refundedAt: string | null
}

/** What was bought, as it was when it was sold. `condition` is null when graded or sealed. */
export interface OrderItem {
  productId: number | null
  productName: string
  imageUrl: string | null
  condition: Condition | null
  language: string
  finish: string
  graded: Graded | null
  quantity: number
  unitPrice: Money
  lineTotal: Money
}

export interface PurchasePage {
  data: Array<Purchase>
  pagination: CursorPagination
}

/** An order as its buyer sees it, in the currency paid. `total` includes shipping, tax and the buyer's fee. */
export interface Purchase {
  orderNumber: string
  status: OrderStatus
  /** ISO 8601, UTC. */
  placedAt: string
  /** ISO 8601, UTC. */
  updatedAt: string
  /** ISO 8601, UTC. */
  shippedAt: string | null
  /** ISO 8601, UTC. */
  deliveredAt: string | null
  /** ISO 8601, UTC. */
  completedAt: string | null
  currency: MarketCurrency
  items: Array<OrderItem>
  subtotal: Money
  shippingAmount: Money
  buyerFee: Money
  tax: Money
  total: Money
  seller: OrderParty
}

/** Purchases, newest first: what can be asked for. */
export interface PurchasesQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  status?: ReadonlyArray<OrderStatus> | undefined
  /** ISO 8601, UTC. */
  placedFrom?: string | undefined
  /** ISO 8601, UTC. */
  placedTo?: string | undefined
}
