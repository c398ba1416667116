import { Result, Struct } from "effect"
import type { MarketCurrency } from "../contract/Money.ts"
import { convertCents, insertRow, toMoney, type Transaction } from "../state/State.ts"
import {
  takePercent,
  emitStatus,
  findOrder,
  waitDays,
  accountOn,
  type ItemRow,
  listItems,
  type OrderRow,
  type ShippingService,
  sides
} from "./OrderRow.ts"
import type { ShippingAddress } from "../contract/orders/orderParts.ts"
import { findAccount } from "../accounts/accounts.ts"
import { emit } from "../events/emit.ts"
import type { LineRow } from "../inventory/LineRow.ts"
import { makeQuantityLog, setQuantity } from "../inventory/putLine.ts"
import { dayMillis } from "../state/MarketClock.ts"

/** Our value, as neither document has one: the buyer's service fee in percent of the items. */
const buyerFeePercent = 2

/** Our values: tax in percent of items and shipping. Prices in Europe include it. */
const taxPercent = { eu: 0, na: 8 } as const
export type Region = keyof typeof taxPercent

/** Our value: the seller's parcel insurance in percent of the items, at most the shipping price. */
const insurancePercent = 1

/** Items in the seller's currency, and their delivery address. */
interface Bought {
  readonly items: ReadonlyArray<{ readonly unitCents: number; readonly quantity: number }>
  readonly shippingCents: number
  readonly isInsured: boolean
  readonly sellerCurrency: MarketCurrency
  readonly buyerCurrency: MarketCurrency
  readonly region: Region
}

const sumItems = (items: Bought["items"]): number =>
  items.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0)

/**
 * Computes the columns of both sides of a new order. Each unit price is converted separately, so that unit prices, line totals and
 * subtotal add up in the buyer's currency.
 */
const orderMoney = (bought: Bought) => {
  const { buyerCurrency, isInsured, items, region, sellerCurrency, shippingCents } = bought
  const paid = items.map(({ unitCents, quantity }) => ({
    unitCents: convertCents(unitCents, sellerCurrency, buyerCurrency),
    quantity
  }))
  const subtotal = sumItems(items)
  const buyerSubtotal = sumItems(paid)
  const buyerShipping = convertCents(shippingCents, sellerCurrency, buyerCurrency)
  const buyerFee = takePercent(buyerSubtotal, buyerFeePercent)
  const tax = takePercent(buyerSubtotal + buyerShipping, taxPercent[region])
  const columns = {
    seller_currency: sellerCurrency,
    subtotal_cents: subtotal,
    shipping_cents: shippingCents,
    insurance_cents: isInsured ? Math.min(takePercent(subtotal, insurancePercent), shippingCents) : 0,
    buyer_currency: buyerCurrency,
    buyer_subtotal_cents: buyerSubtotal,
    buyer_shipping_cents: buyerShipping,
    buyer_fee_cents: buyerFee,
    tax_cents: tax,
    total_cents: buyerSubtotal + buyerShipping + buyerFee + tax
  }
  return { columns, buyerUnits: paid.map(({ unitCents }) => unitCents) }
}

/** Units of a line with sufficient stock, at its current price. */
interface OrderedItem {
  readonly line: LineRow
  readonly quantity: number
  readonly unitCents: number
  readonly productName: string
  readonly imageUrl: string | null
}

/** An order of one buyer from one seller. */
interface NewOrder extends Bought {
  readonly buyerId: string
  readonly sellerId: string
  readonly items: ReadonlyArray<OrderedItem>
  readonly service: ShippingService
  readonly address: ShippingAddress
}

const nextNumber = (tx: Transaction): number =>
  tx.one<{ next: number }>("select coalesce(max(number), 0) + 1 as next from orders")?.next ?? 1

/** The columns of a line that describe what is sold. */
const soldColumns = [
  ...(["product_id", "game", "finish", "condition", "language"] as const),
  ...(["grading_service", "grade", "certification"] as const)
]

const insertItems = (
  tx: Transaction,
  orderNumber: string,
  { buyerUnits, items }: { readonly items: NewOrder["items"]; readonly buyerUnits: ReadonlyArray<number> }
) => {
  for (const [place, { line, quantity, unitCents, productName, imageUrl }] of items.entries()) {
    insertRow(tx, "order_items", {
      ...Struct.pick(line, soldColumns),
      order_number: orderNumber,
      place,
      product_name: productName,
      image_url: imageUrl,
      quantity,
      unit_cents: unitCents,
      buyer_unit_cents: buyerUnits[place] ?? unitCents,
      inventory_id: line.id,
      custom_id: line.custom_id
    })
  }
}

/** Reduces the stock of the seller's lines, which must suffice. Spec: inventory.quantity.changed, reason `order`. */
const takeStock = (tx: Transaction, sellerId: string, sold: NewOrder["items"]): void => {
  const log = makeQuantityLog()
  for (const { line, quantity } of sold) setQuantity({ tx, log }, line, line.quantity - quantity)
  log.emit(tx, sellerId, "order")
}

/** Emits a new order to both sides, each in its own currency. Beyond the spec: section 14. */
const emitCreated = (tx: Transaction, order: OrderRow, items: ReadonlyArray<ItemRow>): void => {
  for (const side of sides) {
    const isSeller = side === "seller"
    const currency = isSeller ? order.seller_currency : order.buyer_currency
    const other = findAccount(tx, accountOn(order, isSeller ? "buyer" : "seller"))
    emit(tx, accountOn(order, side), {
      type: "order.created",
      eventId: `${order.order_number}.${side}`,
      recipientRole: side,
      data: {
        orderNumber: order.order_number,
        status: "pending_shipment",
        currency,
        totalAmount: toMoney(isSeller ? order.subtotal_cents + order.shipping_cents : order.total_cents, currency),
        itemCount: items.reduce((sum, { quantity }) => sum + quantity, 0),
        items: items.map((item) => ({
          productId: item.product_id,
          name: item.product_name,
          quantity: item.quantity,
          unitPrice: toMoney(isSeller ? item.unit_cents : item.buyer_unit_cents, currency),
          ...(isSeller ? { inventoryId: item.inventory_id, customId: item.custom_id } : {})
        })),
        counterparty: {
          username: other?.username ?? "",
          ...(other?.country == null ? {} : { country: other.country })
        },
        createdAt: order.placed_at
      }
    })
  }
}

/** Places a paid order: reduces the stock and emits events to both sides. */
export const placeOrder = (tx: Transaction, bought: NewOrder): OrderRow => {
  const { buyerUnits, columns } = orderMoney(bought)
  const number = nextNumber(tx)
  const orderNumber = `CL-${String(number).padStart(6, "0")}`
  insertRow(tx, "orders", {
    ...columns,
    number,
    order_number: orderNumber,
    buyer_id: bought.buyerId,
    seller_id: bought.sellerId,
    status: "pending_shipment",
    placed_at: tx.at,
    updated_at: tx.at,
    address: JSON.stringify(bought.address),
    shipping_service: bought.service,
    due_at_millis: tx.atMillis + waitDays.toShip * dayMillis
  })
  insertItems(tx, orderNumber, { items: bought.items, buyerUnits })
  takeStock(tx, bought.sellerId, bought.items)
  const order = Result.getOrThrow(findOrder(tx, orderNumber))
  emitCreated(tx, order, listItems(tx, orderNumber))
  emitStatus(tx, order, { from: null, reason: null })
  return order
}
