import { Schema } from "effect"
import { CatalogId, Count } from "../../../feed/contract/Catalogue.ts"
import { Condition, Graded } from "../inventory/Graded.ts"
import { CustomId } from "../inventory/InventoryLine.ts"
import { Money } from "../Money.ts"

/** What was bought, as it was when it was sold. Spec: OrderLineItem. */
export const OrderItem = Schema.Struct({
  productId: Schema.NullOr(CatalogId),
  productName: Schema.String,
  imageUrl: Schema.NullOr(Schema.String),
  condition: Schema.NullOr(Condition),
  language: Schema.String,
  finish: Schema.String,
  graded: Schema.NullOr(Graded),
  quantity: Count,
  unitPrice: Money,
  lineTotal: Money
}).annotate({
  title: "OrderItem",
  description: "What was bought, as it was when it was sold. `condition` is null when graded or sealed."
})
export type OrderItem = typeof OrderItem.Type

/** The same as the seller sees it, with the line it came from. Spec: Sale line item. */
export const SaleItem = Schema.Struct({
  ...OrderItem.fields,
  inventoryId: Schema.String,
  customId: Schema.NullOr(CustomId)
}).annotate({
  title: "SaleItem",
  description: "What was sold, with the inventory line it came from."
})
export type SaleItem = typeof SaleItem.Type
