import type { ShippingAddress } from "../contract/orders/orderParts.ts"
import { findAccount } from "../accounts/accounts.ts"
import { emit } from "../events/emit.ts"
import { type LineRow, makeQuantityLog } from "../inventory/LineRow.ts"
import { setQuantity } from "../inventory/putLine.ts"
import { toMoney, type Transaction } from "../state/State.ts"
import { sqlText } from "../state/openDatabase.ts"
import { emitStatus, waitDays } from "./moveOrder.ts"
import { dayMillis } from "../state/MarketClock.ts"
import { type Bought, orderMoney } from "./orderMoney.ts"
import { accountOn, type ItemRow, listItems, type OrderRow, type ShippingService, sides } from "./OrderRow.ts"

const insertOrder = sqlText(new URL("./insertOrder.sql", import.meta.url))
const insertItem = sqlText(new URL("./insertItem.sql", import.meta.url))

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

const insertItems = (
  tx: Transaction,
  orderNumber: string,
  { buyerUnits, items }: { readonly items: NewOrder["items"]; readonly buyerUnits: ReadonlyArray<number> }
) => {
  for (const [place, { line, quantity, unitCents, productName, imageUrl }] of items.entries()) {
    tx.run(insertItem, {
      order_number: orderNumber,
      place,
      product_id: line.product_id,
      game: line.game,
      product_name: productName,
      image_url: imageUrl,
      condition: line.condition,
      language: line.language,
      finish: line.finish,
      grading_service: line.grading_service,
      grade: line.grade,
      certification: line.certification,
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
  const money = orderMoney(bought)
  const number = nextNumber(tx)
  const order = tx.one<OrderRow>(insertOrder, {
    number,
    order_number: `CL-${String(number).padStart(6, "0")}`,
    buyer_id: bought.buyerId,
    seller_id: bought.sellerId,
    at: tx.at,
    seller_currency: bought.sellerCurrency,
    subtotal: money.subtotal,
    shipping: money.shipping,
    insurance: money.insurance,
    buyer_currency: bought.buyerCurrency,
    buyer_subtotal: money.buyerSubtotal,
    buyer_shipping: money.buyerShipping,
    buyer_fee: money.buyerFee,
    tax: money.tax,
    total: money.total,
    address: JSON.stringify(bought.address),
    shipping_service: bought.service,
    due_at_millis: tx.atMillis + waitDays.toShip * dayMillis
  })
  if (order === undefined) throw new Error(`The order ${number} was not inserted`)
  insertItems(tx, order.order_number, { items: bought.items, buyerUnits: money.buyerUnits })
  takeStock(tx, bought.sellerId, bought.items)
  emitCreated(tx, order, listItems(tx, order.order_number))
  emitStatus(tx, order, { from: null, reason: null })
  return order
}
