import { emit } from "../events/emit.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import type { OrderStatus } from "../contract/orders/OrderStatus.ts"
import { moneyOf } from "../state/cents.ts"
import { sqlText } from "../state/sqlText.ts"
import type { Transaction } from "../state/State.ts"
import { sellerMoney } from "./orderMoney.ts"
import type { OrderRow } from "./OrderRow.ts"

const updateOrder = sqlText(new URL("./updateOrder.sql", import.meta.url))

const owing: ReadonlySet<OrderStatus> = new Set(["shipped", "delivered", "dispute_open", "dispute_escalated"])

/** Whether the payout is known: from shipping on, unless the order was cancelled. Spec: SalePayout. */
export const isPayoutKnown = ({ status, paid_out_at }: OrderRow): boolean =>
  owing.has(status) || status === "completed" || status.startsWith("resolved_") || paid_out_at !== null

/** How much of an order is in the seller's wallet. */
const inWallet = (order: OrderRow) => {
  const { payout } = sellerMoney(order)
  return { pending: owing.has(order.status) ? payout : 0, available: order.paid_out_at === null ? 0 : payout }
}

interface WalletRow {
  readonly currency: MarketCurrency
  readonly available_cents: number
  readonly pending_cents: number
}

/** Moves the seller's money as the order moved, and says so. Beyond the spec: sections 9 and 14. */
const settle = (tx: Transaction, before: OrderRow, after: OrderRow): void => {
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
  const { available_cents, currency, pending_cents } = wallet
  emit(tx, after.seller_id, {
    type: "balance.updated",
    data: { available: moneyOf(available_cents, currency), pending: moneyOf(pending_cents, currency), updatedAt: tx.at }
  })
}

/** What a write changes of an order. */
export type OrderChange = Partial<Omit<OrderRow, "number" | "order_number" | "updated_at">>

/** Stores a changed order, and what that means for the seller's wallet. */
export const saveOrder = (tx: Transaction, before: OrderRow, change: OrderChange): OrderRow => {
  const after: OrderRow = { ...before, ...change, updated_at: tx.at }
  tx.run(updateOrder, {
    number: after.number,
    status: after.status,
    updated_at: after.updated_at,
    shipped_at: after.shipped_at,
    delivered_at: after.delivered_at,
    completed_at: after.completed_at,
    refunded_cents: after.refunded_cents,
    buyer_refunded_cents: after.buyer_refunded_cents,
    refund_due_millis: after.refund_due_millis,
    refunded_at: after.refunded_at,
    payout_eligible_at: after.payout_eligible_at,
    paid_out_at: after.paid_out_at,
    tracking_number: after.tracking_number,
    tracking_url: after.tracking_url,
    carrier: after.carrier,
    metadata: after.metadata,
    cancelled_at: after.cancelled_at,
    cancelled_by: after.cancelled_by,
    cancel_reason: after.cancel_reason,
    cancel_reason_text: after.cancel_reason_text,
    due_at_millis: after.due_at_millis
  })
  settle(tx, before, after)
  return after
}
