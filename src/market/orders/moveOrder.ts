import { Result } from "effect"
import { InvalidTransition } from "../contract/account/accountOperations.ts"
import { InvalidStatus } from "../contract/orders/orderOperations.ts"
import { nextStatuses, type OrderStatus } from "../contract/orders/orderParts.ts"
import { emit } from "../events/emit.ts"
import { dayMillis, textOfMillis } from "../state/MarketClock.ts"
import type { Transaction } from "../state/State.ts"
import { isPayoutKnown, sellerMoney, updateWallet } from "./orderMoney.ts"
import { accountOn, type OrderRow, readMetadata, sides } from "./OrderRow.ts"

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

/** Duration of a payout. No refund is possible during it. */
const payoutMillis = 60_000

/** Columns of an order that a write changes. */
export type OrderChange = Partial<Omit<OrderRow, "number" | "order_number" | "updated_at">>

/** Stores a changed order and updates the seller's wallet. */
export const saveOrder = (tx: Transaction, before: OrderRow, change: OrderChange): OrderRow => {
  const changed = { ...change, updated_at: tx.at }
  const places = Object.keys(changed).map((column) => `${column} = :${column}`)
  tx.run(`update orders set ${places.join(", ")} where number = :number`, { ...changed, number: before.number })
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
