import { Result } from "effect"
import type { NotFound } from "../../feed/contract/Errors.ts"
import { missing } from "../answers/refusals.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import type { Metadata } from "../contract/orders/Order.ts"
import { InvalidStatus } from "../contract/orders/orderOperations.ts"
import { OrderStatus } from "../contract/orders/orderParts.ts"
import type { UnitRow } from "../inventory/LineRow.ts"
import { type Transaction, type Store, updateRow } from "../state/State.ts"
import { showBalance, type WalletRow } from "../accounts/accounts.ts"
import { InvalidTransition } from "../contract/account/accountOperations.ts"
import { emit } from "../events/emit.ts"
import { dayMillis, textOfMillis } from "../state/MarketClock.ts"

/** How a parcel is shipped: tracked by a carrier, untracked, or by the service itself. */
export type ShippingService = "tracked" | "untracked" | "managed"

/** A row of `orders`. */
export interface OrderRow {
  readonly number: number
  readonly order_number: string
  readonly buyer_id: string
  readonly seller_id: string
  readonly status: OrderStatus
  readonly placed_at: string
  readonly updated_at: string
  readonly shipped_at: string | null
  readonly delivered_at: string | null
  readonly completed_at: string | null
  readonly seller_currency: MarketCurrency
  readonly subtotal_cents: number
  readonly shipping_cents: number
  readonly insurance_cents: number
  readonly refunded_cents: number
  readonly buyer_currency: MarketCurrency
  readonly buyer_subtotal_cents: number
  readonly buyer_shipping_cents: number
  readonly buyer_fee_cents: number
  readonly tax_cents: number
  readonly total_cents: number
  readonly buyer_refunded_cents: number
  readonly refund_due_millis: number | null
  readonly refunded_at: string | null
  readonly payout_eligible_at: string | null
  readonly paid_out_at: string | null
  readonly address: string
  readonly shipping_service: ShippingService
  readonly tracking_number: string | null
  readonly tracking_url: string | null
  readonly carrier: string | null
  readonly metadata: string
  readonly cancelled_at: string | null
  readonly cancelled_by: "buyer" | "seller" | "system" | null
  readonly cancel_reason: string | null
  readonly cancel_reason_text: string | null
  readonly due_at_millis: number | null
}

/** A row of `order_items`. */
export interface ItemRow extends UnitRow {
  readonly order_number: string
  readonly product_id: number
  readonly game: string
  readonly product_name: string
  readonly image_url: string | null
  readonly quantity: number
  readonly unit_cents: number
  readonly buyer_unit_cents: number
  readonly inventory_id: string
  readonly custom_id: string | null
}

export const listItems = (store: Store, orderNumber: string): ReadonlyArray<ItemRow> =>
  store.all<ItemRow>("select * from order_items where order_number = :orderNumber order by place", { orderNumber })

const noSuchOrder = (orderNumber: string) => missing(`No order has the number ${orderNumber}`, { orderNumber })

export const findOrder = (store: Store, orderNumber: string): Result.Result<OrderRow, NotFound> => {
  const order = store.one<OrderRow>("select * from orders where order_number = :orderNumber", { orderNumber })
  return order === undefined ? Result.fail(noSuchOrder(orderNumber)) : Result.succeed(order)
}

export type Side = "seller" | "buyer"

export const sides: ReadonlyArray<Side> = ["seller", "buyer"]
export const accountOn = (order: OrderRow, side: Side) => (side === "seller" ? order.seller_id : order.buyer_id)

/** Finds an order of this account on this side. Orders of other accounts are not found. Beyond the spec: section 12. */
export const findOwnOrder = (
  store: Store,
  { accountId, side }: { readonly side: Side; readonly accountId: string },
  orderNumber: string
): Result.Result<OrderRow, NotFound> =>
  Result.flatMap(findOrder(store, orderNumber), (order) =>
    accountOn(order, side) === accountId ? Result.succeed(order) : Result.fail(noSuchOrder(orderNumber))
  )

/** Returns the seller's metadata of an order. */
export const readMetadata = ({ metadata }: OrderRow): Metadata => JSON.parse(metadata) as Metadata

/** Allowed next states of each state that is not final. Beyond the spec: section 12. */
const edges: Readonly<Partial<Record<OrderStatus, ReadonlyArray<OrderStatus>>>> = {
  pending_shipment: ["shipped", "cancelled_seller", "cancellation_requested", "cancelled_auto"],
  cancellation_requested: ["shipped", "cancelled_buyer", "cancelled_auto", "pending_shipment"],
  shipped: ["delivered", "completed", "dispute_open"],
  delivered: ["completed", "dispute_open"],
  dispute_open: ["dispute_escalated"],
  dispute_escalated: OrderStatus.literals.filter((status) => status.startsWith("resolved_"))
}

/** Returns the allowed next states of a state; none if it is final. */
export const nextStatuses = (status: OrderStatus): ReadonlyArray<OrderStatus> => edges[status] ?? []

/** True unless the move completes a tracked order that was not delivered. Beyond the spec: section 12. */
const mayFollow = ({ status, shipping_service }: OrderRow, to: OrderStatus): boolean =>
  nextStatuses(status).includes(to) && !(status === "shipped" && to === "completed" && shipping_service !== "untracked")

/** Returns the statuses that an order can move to now. */
export const nextSteps = (order: OrderRow): ReadonlyArray<OrderStatus> =>
  nextStatuses(order.status).filter((to) => mayFollow(order, to))

export const invalidStatus = (status: OrderStatus): InvalidStatus =>
  new InvalidStatus({ message: `The order is ${status}, where this cannot be done`, data: { status } })

/**
 * Days until an automatic step; neither document states them. Unshipped orders and unanswered cancellations are
 * cancelled, delivered orders are paid out, and untracked parcels count as delivered.
 */
export const waitDays = { toShip: 14, toAnswer: 3, toPayOut: 3, untracked: 21 } as const

/** Returns when an order in `status` moves automatically; null if it waits for an action. */
const dueAfter = (status: OrderStatus, order: OrderRow, now: number): number | null => {
  switch (status) {
    case "pending_shipment":
      // After a refused cancellation, the seller has at least the time of another answer.
      return Math.max(Date.parse(order.placed_at) + waitDays.toShip * dayMillis, now + waitDays.toAnswer * dayMillis)
    case "cancellation_requested":
      return now + waitDays.toAnswer * dayMillis
    case "shipped":
      return order.shipping_service === "untracked" ? now + waitDays.untracked * dayMillis : null
    case "delivered":
      return now + waitDays.toPayOut * dayMillis
    default:
      return null
  }
}

/** The seller's fee in percent of items that were not refunded. Beyond the spec: section 12, 5 % in the example. */
export const sellerFeePercent = 5

export const takePercent = (cents: number, percent: number): number => Math.round((cents * percent) / 100)

/** Returns the seller's costs and payout after all refunds. The fee excludes refunded items. */
export const sellerMoney = (order: OrderRow) => {
  const { subtotal_cents, shipping_cents, insurance_cents, refunded_cents } = order
  const fee = takePercent(Math.max(0, subtotal_cents - refunded_cents), sellerFeePercent)
  const left = subtotal_cents + shipping_cents - refunded_cents - fee
  const premium = Math.min(insurance_cents, left)
  return { fee, premium, payout: left - premium }
}

/** Shipped but not final statuses, in which the seller's money is pending. */
export const underway: ReadonlySet<OrderStatus> = new Set(["shipped", "delivered", "dispute_open", "dispute_escalated"])

/** True if the payout is known: from shipping on, unless the order was cancelled. Spec: SalePayout. */
export const isPayoutKnown = ({ status, paid_out_at }: OrderRow): boolean =>
  underway.has(status) || status === "completed" || status.startsWith("resolved_") || paid_out_at !== null

/** Returns the amounts of an order in the seller's wallet. */
const inWallet = (order: OrderRow) => {
  const { payout } = sellerMoney(order)
  return { pending: underway.has(order.status) ? payout : 0, available: order.paid_out_at === null ? 0 : payout }
}

/** Updates the seller's wallet after an order change and emits the balance. Beyond the spec: sections 9 and 14. */
export const updateWallet = (tx: Transaction, before: OrderRow, after: OrderRow): void => {
  const [was, is] = [inWallet(before), inWallet(after)]
  const pending = is.pending - was.pending
  const available = is.available - was.available
  if (pending === 0 && available === 0) return
  const wallet = tx.one<WalletRow>(
    `update wallets set pending_cents = pending_cents + :pending, available_cents = available_cents + :available,
       updated_at = :at
     where account_id = :seller returning *`,
    { pending, available, at: tx.at, seller: after.seller_id }
  )
  if (wallet === undefined) throw new Error(`The seller ${after.seller_id} has no wallet`)
  emit(tx, after.seller_id, { type: "balance.updated", data: showBalance(wallet) })
}

/** Duration of a payout. No refund is possible during it. */
const payoutMillis = 60_000

/** Columns of an order that a write changes. */
export type OrderChange = Partial<Omit<OrderRow, "number" | "order_number" | "updated_at">>

/** Stores a changed order and updates the seller's wallet. */
export const saveOrder = (tx: Transaction, before: OrderRow, change: OrderChange): OrderRow => {
  const changed = { ...change, updated_at: tx.at }
  updateRow(tx, "orders", { number: before.number }, changed)
  const after: OrderRow = { ...before, ...changed }
  updateWallet(tx, before, after)
  return after
}

/** Emits an order's new status to both sides. Only the seller's event has metadata. Beyond the spec: section 14. */
export const emitStatus = (
  tx: Transaction,
  order: OrderRow,
  { from, reason }: { readonly from: OrderStatus | null; readonly reason: string | null }
): void => {
  for (const side of sides) {
    emit(tx, accountOn(order, side), {
      type: "order.status.changed",
      recipientRole: side,
      data: {
        orderNumber: order.order_number,
        status: order.status,
        previousStatus: from,
        changedAt: tx.at,
        reason,
        metadata: side === "seller" ? readMetadata(order) : null
      }
    })
  }
}

const isFinal = (status: OrderStatus): boolean => nextStatuses(status).length === 0

/** Returns the payout of a completed order: the seller's rest, paid immediately. */
const payOut = (tx: Transaction, order: OrderRow): OrderChange =>
  isPayoutKnown(order) && sellerMoney(order).payout > 0
    ? { payout_eligible_at: order.payout_eligible_at ?? tx.at, paid_out_at: tx.at }
    : {}

/** The target status, its reason, and other changes. */
interface Move {
  readonly to: OrderStatus
  readonly reason?: string | null
  readonly change?: OrderChange
}

/** Moves an order to an allowed next status and emits events to both sides. Fails if the status may not follow. */
export const moveOrder = (
  tx: Transaction,
  order: OrderRow,
  { change = {}, reason = null, to }: Move
): Result.Result<OrderRow, InvalidTransition> => {
  if (!mayFollow(order, to)) {
    const data = { from: order.status, to }
    return Result.fail(new InvalidTransition({ message: `An order does not go from ${data.from} to ${to}`, data }))
  }
  const moved: OrderRow = { ...order, ...change, status: to }
  const due = dueAfter(to, moved, tx.atMillis)
  const after = saveOrder(tx, order, {
    ...change,
    status: to,
    due_at_millis: due,
    ...(to === "shipped" || to === "delivered"
      ? { payout_eligible_at: due === null ? null : textOfMillis(due - payoutMillis), [`${to}_at`]: tx.at }
      : {}),
    ...(isFinal(to) ? { completed_at: tx.at, ...payOut(tx, moved) } : {})
  })
  emitStatus(tx, after, { from: order.status, reason })
  return Result.succeed(after)
}
