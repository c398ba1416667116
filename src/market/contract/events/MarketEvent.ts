import { Schema } from "effect"
import { CatalogId, Count, Instant } from "../../../feed/contract/Catalogue.ts"
import { MarketCurrency, Money } from "../Money.ts"
import { Metadata } from "../orders/Order.ts"
import { OrderStatus } from "../orders/orderParts.ts"
import { Link } from "../Link.ts"
import { JobCounts } from "../jobs/jobOperations.ts"
import { limits } from "../Limits.ts"

/** Fields of every event. All retries have one `eventId`. Spec: Events. */
const eventFields = { eventId: Schema.String, timestamp: Instant }

/** The reason of a quantity change. Spec: inventory.quantity.changed, reason. */
export const QuantityReason = Schema.Literals(["order", "order_cancelled", "import", "edit", "listing"])
export type QuantityReason = typeof QuantityReason.Type

/** One line whose quantity changed. Spec: inventory.quantity.changed, changes. */
export const ChangedQuantity = Schema.Struct({
  inventoryId: Schema.String,
  customId: Schema.NullOr(Schema.String),
  productId: CatalogId,
  before: Count,
  after: Count
}).annotate({
  title: "ChangedQuantity",
  description: "One line whose quantity changed, with the units before and after."
})
export type ChangedQuantity = typeof ChangedQuantity.Type

/** At most 500 lines; more lines need several events. Spec: inventory.quantity.changed. */
export const QuantityChanged = Schema.Struct({
  type: Schema.Literal("inventory.quantity.changed"),
  ...eventFields,
  data: Schema.Struct({
    reason: QuantityReason,
    changes: Schema.Array(ChangedQuantity).check(Schema.isMinLength(1), Schema.isMaxLength(limits.changesPerEvent))
  })
}).annotate({
  title: "QuantityChanged",
  description: "Quantities of lines changed. More than 500 lines come as several events."
})

const Outcome = Schema.Literals(["completed", "failed"])

/** An import ended. If it failed, counts are zero and there is no link. Spec: inventory.import.completed. */
export const ImportCompleted = Schema.Struct({
  type: Schema.Literal("inventory.import.completed"),
  ...eventFields,
  data: Schema.Struct({ jobId: Schema.String, status: Outcome, counts: JobCounts, errorReportUrl: Schema.NullOr(Link) })
}).annotate({
  title: "ImportCompleted",
  description: "An import ended. A failed one has zero counts and no link; a link works for an hour."
})

/** An export ended. `expiresAt` is when the link expires, after an hour. Spec: inventory.export.completed. */
export const ExportCompleted = Schema.Struct({
  type: Schema.Literal("inventory.export.completed"),
  ...eventFields,
  data: Schema.Struct({
    jobId: Schema.String,
    status: Outcome,
    downloadUrl: Schema.NullOr(Link),
    expiresAt: Schema.NullOr(Instant)
  })
}).annotate({
  title: "ExportCompleted",
  description: "An export ended. `expiresAt` is when its link stops working, after an hour."
})

/** The side of an order that receives an event. Each side gets its own. Beyond the spec: section 14. */
export const RecipientRole = Schema.Literals(["buyer", "seller"])
export type RecipientRole = typeof RecipientRole.Type

/** A new order. Its status uses an older set; line and customId are the seller's. Beyond the spec: section 14. */
export const OrderCreated = Schema.Struct({
  type: Schema.Literal("order.created"),
  ...eventFields,
  recipientRole: RecipientRole,
  data: Schema.Struct({
    orderNumber: Schema.String,
    status: Schema.Literals(["pending_payment", "pending_shipment", "shipped", "delivered", "completed", "cancelled"]),
    currency: MarketCurrency,
    totalAmount: Money,
    itemCount: Count,
    items: Schema.Array(
      Schema.Struct({
        productId: Schema.NullOr(CatalogId),
        name: Schema.String,
        quantity: Count,
        unitPrice: Money,
        inventoryId: Schema.optionalKey(Schema.String),
        customId: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    ),
    counterparty: Schema.Struct({ username: Schema.String, country: Schema.optionalKey(Schema.String) }),
    createdAt: Instant
  })
}).annotate({
  title: "OrderCreated",
  description: "An order was placed. Each side gets its own copy; `inventoryId` and `customId` are in the seller's."
})

/** An order changed status. Only the seller's copy has `metadata`. Beyond the spec: section 14. */
export const OrderStatusChanged = Schema.Struct({
  type: Schema.Literal("order.status.changed"),
  ...eventFields,
  recipientRole: RecipientRole,
  data: Schema.Struct({
    orderNumber: Schema.String,
    status: OrderStatus,
    previousStatus: Schema.NullOr(OrderStatus),
    changedAt: Instant,
    reason: Schema.NullOr(Schema.String),
    metadata: Schema.NullOr(Metadata)
  })
}).annotate({
  title: "OrderStatusChanged",
  description: "An order got another status. `metadata` is in the seller's copy only."
})

/** A message about an order, without its text. Beyond the spec: section 14. */
export const MessageReceived = Schema.Struct({
  type: Schema.Literal("message.received"),
  ...eventFields,
  data: Schema.Struct({
    threadId: Schema.String,
    messageId: Schema.String,
    context: Schema.Struct({
      type: Schema.Literal("order"),
      orderNumber: Schema.String,
      /** `main`: between buyer and seller; `support`: from the service to both. */
      scope: Schema.Literals(["main", "support"]),
      yourRole: RecipientRole
    }),
    sender: Schema.Struct({ username: Schema.String }),
    sentAt: Instant,
    hasAttachments: Schema.Boolean
  })
}).annotate({ title: "MessageReceived", description: "A message about an order came, without its text." })

/** The seller's balance changed. Beyond the spec: section 14. */
export const BalanceUpdated = Schema.Struct({
  type: Schema.Literal("balance.updated"),
  ...eventFields,
  data: Schema.Struct({ available: Money, pending: Money, updatedAt: Instant })
}).annotate({ title: "BalanceUpdated", description: "The seller's money moved." })

/** Any event that the marketplace delivers to a webhook. Spec: Events; beyond the spec: section 14. */
export const MarketEvent = Schema.Union([
  QuantityChanged,
  ImportCompleted,
  ExportCompleted,
  OrderCreated,
  OrderStatusChanged,
  MessageReceived,
  BalanceUpdated
])
export type MarketEvent = typeof MarketEvent.Type
