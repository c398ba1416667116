// Generated from the contract by: node test/sdk/writeWire.ts
import type { JobCounts, MarketCurrency, Metadata, Money, OrderStatus } from "./shared.ts"

/** An export ended. `expiresAt` is when its link stops working, after an hour. */
export interface ExportCompleted {
  type: "inventory.export.completed"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  data: {
    jobId: string
    status: "completed" | "failed"
    downloadUrl: string | null
    /** ISO 8601, UTC. */
    expiresAt: string | null
  }
}

/** An import ended. A failed one has zero counts and no link; a link works for an hour. */
export interface ImportCompleted {
  type: "inventory.import.completed"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  data: {
    jobId: string
    status: "completed" | "failed"
    counts: JobCounts
    errorReportUrl: string | null
  }
}

/** Quantities of lines changed. More than 500 lines come as several events. */
export interface QuantityChanged {
  type: "inventory.quantity.changed"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  data: {
    reason: "order" | "order_cancelled" | "import" | "edit" | "listing"
    changes: Array<ChangedQuantity>
  }
}

/** One line whose quantity changed, with the units before and after. */
export interface ChangedQuantity {
  inventoryId: string
  customId: string | null
  productId: number
  before: number
  after: number
}

/** The seller's money moved. */
export interface BalanceUpdated {
  type: "balance.updated"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  data: {
    available: Money
    pending: Money
    /** ISO 8601, UTC. */
    updatedAt: string
  }
}

/** A message about an order came, told without its text. */
export interface MessageReceived {
  type: "message.received"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  data: {
    threadId: string
    messageId: string
    context: {
      type: "order"
      orderNumber: string
      scope: "main" | "support"
      yourRole: "buyer" | "seller"
    }
    sender: {
      username: string
    }
    /** ISO 8601, UTC. */
    sentAt: string
    hasAttachments: boolean
  }
}

/** An order got another status. `metadata` is in the seller's copy only. */
export interface OrderStatusChanged {
  type: "order.status.changed"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  recipientRole: "buyer" | "seller"
  data: {
    orderNumber: string
    status: OrderStatus
    previousStatus: OrderStatus | null
    /** ISO 8601, UTC. */
    changedAt: string
    reason: string | null
    metadata: Metadata | null
  }
}

/** An order was placed. Each side gets its own copy; `inventoryId` and `customId` are in the seller's. */
export interface OrderCreated {
  type: "order.created"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  recipientRole: "buyer" | "seller"
  data: {
    orderNumber: string
    status: "pending_payment" | "pending_shipment" | "shipped" | "delivered" | "completed" | "cancelled"
    currency: MarketCurrency
    totalAmount: Money
    itemCount: number
    items: Array<{
      productId: number | null
      name: string
      quantity: number
      unitPrice: Money
      inventoryId?: string
      customId?: string | null
    }>
    counterparty: {
      username: string
      country?: string
    }
    /** ISO 8601, UTC. */
    createdAt: string
  }
}

/** An event as a webhook delivers it; `type` says which. */
export type MarketEvent = OrderCreated | OrderStatusChanged | MessageReceived | BalanceUpdated | QuantityChanged | ImportCompleted | ExportCompleted
