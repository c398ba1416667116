// Generated from the contract by: node test/sdk/writeWire.ts
import type { Cancellation, OrderParty, Shipping, ShippingAddress } from "./orders.ts"
import type { Condition, CursorPagination, Graded, MarketCurrency, Metadata, Money, OrderStatus } from "./shared.ts"

/** A sale with its parcel. `shipping` is null before it is shipped, `cancellation` unless it was cancelled. */
export interface SaleDetail {
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
  items: Array<SaleItem>
  subtotal: Money
  shippingAmount: Money
  sellerFee: SellerFee
  payout: Payout
  refunded: Money
  buyer: OrderParty
  shippingAddress: ShippingAddress
  metadata: Metadata
  shipping: Shipping | null
  cancellation: Cancellation | null
}

/** What the seller receives; `amount` is null until it is calculated. */
export interface Payout {
  amount: Money | null
  /** ISO 8601, UTC. */
  eligibleAt: string | null
  /** ISO 8601, UTC. */
  paidOutAt: string | null
}

/** `percentage`: 5 means 5 %. */
export interface SellerFee {
  percentage: number
  amount: Money
}

/** What was sold, with the inventory line it came from. */
export interface SaleItem {
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
  inventoryId: string
  customId: string | null
}

export interface ChangeMetadata {
  metadata: MetadataChange
}

/** Pairs to merge; null removes a key. */
export type MetadataChange = Record<string, string | null>

/** Part of what the buyer paid, in the sale's currency, with at most two decimals. */
export interface RefundRequest {
  amount: number
}

/** Why the seller cancels. */
export interface CancelSale {
  reason: "item_unavailable" | "item_damaged" | "pricing_error" | "seller_other"
  reasonText: string
}

/** A tracked service needs a `trackingNumber`; an untracked one does not. `metadata` is merged. */
export interface MarkShipped {
  trackingNumber?: string | undefined
  trackingUrl?: string | undefined
  metadata?: Metadata | undefined
}

export interface SalePage {
  data: Array<Sale>
  pagination: CursorPagination
}

/** An order as its seller sees it. Every amount is in the seller's selling currency. */
export interface Sale {
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
  items: Array<SaleItem>
  subtotal: Money
  shippingAmount: Money
  sellerFee: SellerFee
  payout: Payout
  refunded: Money
  buyer: OrderParty
  shippingAddress: ShippingAddress
  metadata: Metadata
}

/** Sales, newest first: what can be asked for. */
export interface SalesQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  status?: ReadonlyArray<OrderStatus> | undefined
  /** ISO 8601, UTC. */
  placedFrom?: string | undefined
  /** ISO 8601, UTC. */
  placedTo?: string | undefined
  /** Pairs that a sale has: `metadata[channel]=web`. At most ten; all of them must hold. */
  metadata?: Record<string, string> | undefined
}
