import { Schema } from "effect"
import { CatalogId, Count, Instant } from "../../../feed/contract/Catalogue.ts"
import { MarketCurrency, Money } from "../Money.ts"
import { Metadata } from "../orders/Metadata.ts"
import { OrderStatus } from "../orders/OrderStatus.ts"
import { eventFields } from "./InventoryEvents.ts"

/** The side of an order that an event is for; each side gets its own. Beyond the spec: section 14. */
export const RecipientRole = Schema.Literals(["buyer", "seller"])
export type RecipientRole = typeof RecipientRole.Type

/** A new order. Its status is of an older set; line and customId are the seller's. Beyond the spec: section 14. */
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

/** An order moved on; `metadata` only in the seller's copy. Beyond the spec: section 14. */
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
      /** `main`: the two sides to each other; `support`: the service to both. */
      scope: Schema.Literals(["main", "support"]),
      yourRole: RecipientRole
    }),
    sender: Schema.Struct({ username: Schema.String }),
    sentAt: Instant,
    hasAttachments: Schema.Boolean
  })
}).annotate({
  title: "MessageReceived",
  description: "A message about an order came, told without its text."
})

/** The seller's money moved. Beyond the spec: section 14. */
export const BalanceUpdated = Schema.Struct({
  type: Schema.Literal("balance.updated"),
  ...eventFields,
  data: Schema.Struct({ available: Money, pending: Money, updatedAt: Instant })
}).annotate({
  title: "BalanceUpdated",
  description: "The seller's money moved."
})
