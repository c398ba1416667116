import { Effect } from "effect"
import { findAccount } from "../accounts/accounts.ts"
import { soldProducts } from "../catalogue/soldProducts.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import type { OrderItem, SaleItem, Sale, SaleDetail, Purchase, PurchaseDetail } from "../contract/orders/Order.ts"
import type { OrderParty, Cancellation, Shipping, ShippingAddress } from "../contract/orders/orderParts.ts"
import { readGraded } from "../inventory/LineRow.ts"
import { toMoney, type Store } from "../state/State.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import {
  isPayoutKnown,
  sellerFeePercent,
  sellerMoney,
  type ItemRow,
  listItems,
  type OrderRow,
  readMetadata
} from "./OrderRow.ts"

type KnownProducts = Pick<ReadonlySet<string>, "has">

/** Returns the products of these orders that are in the catalogue. An order's items never change. */
export const knownProducts = (store: Store, orderNumbers: ReadonlyArray<string>) =>
  Effect.suspend(() =>
    soldProducts(orderNumbers.flatMap((number) => listItems(store, number).map(({ product_id }) => String(product_id))))
  )

/** Returns the dates, which are equal for both sides. */
const showDates = (order: OrderRow) => ({
  orderNumber: order.order_number,
  status: order.status,
  placedAt: order.placed_at,
  updatedAt: order.updated_at,
  shippedAt: order.shipped_at,
  deliveredAt: order.delivered_at,
  completedAt: order.completed_at
})

/** Language of items listed without one, such as sealed products. The specification does not allow null. */
const unstatedLanguage = "en"

/** Returns an item at a side's unit price. Spec: OrderLineItem. */
const showItem = (
  item: ItemRow,
  { currency, unitCents }: { readonly unitCents: number; readonly currency: MarketCurrency },
  known: KnownProducts
): OrderItem => ({
  productId: known.has(String(item.product_id)) ? item.product_id : null,
  productName: item.product_name,
  imageUrl: item.image_url,
  condition: item.condition,
  language: item.language ?? unstatedLanguage,
  finish: item.finish,
  graded: readGraded(item),
  quantity: item.quantity,
  unitPrice: toMoney(unitCents, currency),
  lineTotal: toMoney(unitCents * item.quantity, currency)
})

const parseAddress = ({ address }: OrderRow): ShippingAddress => JSON.parse(address) as ShippingAddress

interface ScanRow {
  readonly status: string
  readonly occurred_at: string
  readonly location: string | null
  readonly description: string | null
}

/** Returns the parcel; null until it is shipped. Spec: OrderShipping. */
const showShipping = (store: Store, order: OrderRow): Shipping | null => {
  if (order.shipped_at === null) return null
  const scans = store.all<ScanRow>("select * from tracking_scans where order_number = :number order by place", {
    number: order.order_number
  })
  return {
    trackingNumber: order.tracking_number,
    carrier: order.carrier,
    trackingUrl: order.tracking_url,
    status: scans.at(-1)?.status ?? null,
    shippedAt: scans[0]?.occurred_at ?? null,
    deliveredAt: order.delivered_at,
    history:
      scans.length === 0
        ? null
        : scans.map(({ status, occurred_at, location, description }) => ({
            status,
            occurredAt: occurred_at,
            location,
            description
          }))
  }
}

/** Returns who cancelled the order and why. Spec: OrderCancellation. */
const showCancellation = (order: OrderRow): Cancellation | null =>
  order.cancelled_at === null || order.cancelled_by === null
    ? null
    : {
        cancelledAt: order.cancelled_at,
        cancelledBy: order.cancelled_by,
        reason: order.cancel_reason ?? "",
        reasonText: order.cancel_reason_text
      }

/** Our values: the period of recent orders, and the minimum number of orders for a rate. */
const recentMillis = 90 * 86_400_000
const minOrders = 5

interface HandledRow {
  readonly orders: number
  readonly completed: number
  readonly ship_hours: number | null
}

/** Returns a seller's record on recent orders; null if there are too few. Spec: OrderPartyReliability. */
const computeReliability = (store: Store, sellerId: string, now: number): OrderParty["reliability"] => {
  const row = store.one<HandledRow>(
    `select count(*) as orders, count(*) filter (where status = 'completed') as completed,
       avg((julianday(shipped_at) - julianday(placed_at)) * 24) as ship_hours
     from orders where seller_id = :sellerId and placed_at >= :since`,
    { sellerId, since: textOfMillis(now - recentMillis) }
  )
  if (row === undefined || row.orders < minOrders) return null
  return {
    orderCount: row.orders,
    completedCount: row.completed,
    completionRate: row.completed / row.orders,
    avgShipTimeHours: row.ship_hours === null ? null : Math.round(row.ship_hours * 10) / 10
  }
}

/** Returns the other side of an order, without a seller's reliability. Spec: OrderParty. */
const findParty = (store: Store, id: string): Omit<OrderParty, "reliability"> => {
  const account = findAccount(store, id)
  if (account === undefined) throw new Error(`The account ${id} of an order is missing`)
  return {
    id: account.id,
    username: account.username,
    avatarUrl: account.image_url === "" ? null : account.image_url,
    country: account.country,
    type: account.seller_type,
    rating: { average: account.rating_average, count: account.rating_count }
  }
}

const showSaleItem = (item: ItemRow, currency: MarketCurrency, known: KnownProducts): SaleItem => ({
  ...showItem(item, { unitCents: item.unit_cents, currency }, known),
  inventoryId: item.inventory_id,
  customId: item.custom_id
})

/** Returns an order as its seller sees it, in the seller's currency. Spec: Sale. */
export const showSale = (store: Store, order: OrderRow, known: KnownProducts): Sale => {
  const currency = order.seller_currency
  const { fee, payout } = sellerMoney(order)
  return {
    ...showDates(order),
    currency,
    items: listItems(store, order.order_number).map((item) => showSaleItem(item, currency, known)),
    subtotal: toMoney(order.subtotal_cents, currency),
    shippingAmount: toMoney(order.shipping_cents, currency),
    sellerFee: { percentage: sellerFeePercent, amount: toMoney(fee, currency) },
    payout: {
      amount: isPayoutKnown(order) ? toMoney(payout, currency) : null,
      eligibleAt: order.payout_eligible_at,
      paidOutAt: order.paid_out_at
    },
    refunded: toMoney(order.refunded_cents, currency),
    buyer: { ...findParty(store, order.buyer_id), reliability: null },
    shippingAddress: parseAddress(order),
    metadata: readMetadata(order)
  }
}

/** Returns a single sale with its parcel. Beyond the spec: section 12. */
export const showSaleDetail = (store: Store, order: OrderRow, known: KnownProducts): SaleDetail => ({
  ...showSale(store, order, known),
  shipping: showShipping(store, order),
  cancellation: showCancellation(order)
})

/** Context for showing an order. */
interface Shown {
  readonly known: KnownProducts
  readonly now: number
}

/** Returns an order as its buyer sees it, in the currency paid. Spec: Purchase. */
export const showPurchase = (store: Store, order: OrderRow, { known, now }: Shown): Purchase => {
  const currency = order.buyer_currency
  return {
    ...showDates(order),
    currency,
    items: listItems(store, order.order_number).map((item) =>
      showItem(item, { unitCents: item.buyer_unit_cents, currency }, known)
    ),
    subtotal: toMoney(order.buyer_subtotal_cents, currency),
    shippingAmount: toMoney(order.buyer_shipping_cents, currency),
    buyerFee: toMoney(order.buyer_fee_cents, currency),
    tax: toMoney(order.tax_cents, currency),
    total: toMoney(order.total_cents, currency),
    seller: { ...findParty(store, order.seller_id), reliability: computeReliability(store, order.seller_id, now) }
  }
}

/** Returns the buyer's full view of an order. Spec: PurchaseDetail. */
export const showPurchaseDetail = (store: Store, order: OrderRow, shown: Shown): PurchaseDetail => ({
  ...showPurchase(store, order, shown),
  shippingAddress: parseAddress(order),
  shipping: showShipping(store, order),
  refund:
    order.buyer_refunded_cents === 0
      ? null
      : { amount: toMoney(order.buyer_refunded_cents, order.buyer_currency), refundedAt: order.refunded_at },
  cancellation: showCancellation(order)
})
