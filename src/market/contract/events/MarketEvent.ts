import { Schema } from "effect"
import { ExportCompleted, ImportCompleted, QuantityChanged } from "./InventoryEvents.ts"
import { BalanceUpdated, MessageReceived, OrderCreated, OrderStatusChanged } from "./OrderEvents.ts"

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
