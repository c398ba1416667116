import { Result } from "effect"
import { InvalidTransition } from "../contract/account/accountOperations.ts"
import { InvalidStatus } from "../contract/orders/orderOperations.ts"
import { nextStatuses, type OrderStatus } from "../contract/orders/orderParts.ts"
import { emit } from "../events/emit.ts"
import { dayMillis, textOfMillis } from "../state/MarketClock.ts"
import type { Transaction } from "../state/State.ts"
import { isPayoutKnown, sellerMoney, updateWallet } from "./orderMoney.ts"
import { accountOn, type OrderRow, readMetadata, sides } from "./OrderRow.ts"

/** A tracked parcel is delivered before its order is completed. Beyond the spec: section 12. */
const mayFollow = ({ status, shipping_service }: OrderRow, to: OrderStatus): boolean =>
  nextStatuses[status].includes(to) && !(status === "shipped" && to === "completed" && shipping_service !== "untracked")

/** The statuses that an order can move to now. */
export const nextSteps = (order: OrderRow): ReadonlyArray<OrderStatus> =>
  nextStatuses[order.status].filter((to) => mayFollow(order, to))

export const invalidStatus = (status: OrderStatus): InvalidStatus =>
  new InvalidStatus({ message: `The order is ${status}, where this cannot be done`, data: { status } })

/**
 * Days until something happens automatically; neither document has these figures. An unshipped order or an unanswered
 * cancellation is cancelled, a delivered order is paid out, an untracked parcel counts as delivered.
 */
export const waitDays = { toShip: 14, toAnswer: 3, toPayOut: 3, untracked: 21 } as const

/** When an order in `status` moves on automatically; null: it waits for somebody. */
const dueAfter = (status: OrderStatus, order: OrderRow, now: number): number | null => {
  switch (status) {
    case "pending_shipment":
      // After a refused cancellation the seller has at least another answer's time.
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

/** How long money takes on its way to the seller, during which none of it can be refunded. */
const payoutMillis = 60_000

/** What a write changes of an order. */
export type OrderChange = Partial<Omit<OrderRow, "number" | "order_number" | "updated_at">>

/** Stores a changed order, and what that means for the seller's wallet. */
export const saveOrder = (tx: Transaction, before: OrderRow, change: OrderChange): OrderRow => {
  const changed = { ...change, updated_at: tx.at }
  const places = Object.keys(changed).map((column) => `${column} = :${column}`)
  tx.run(`update orders set ${places.join(", ")} where number = :number`, { ...changed, number: before.number })
  const after: OrderRow = { ...before, ...changed }
  updateWallet(tx, before, after)
  return after
}

/** Tells both sides of an order's new status. The metadata are the seller's. Beyond the spec: section 14. */
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

const isFinal = (status: OrderStatus): boolean => nextStatuses[status].length === 0

/** The payout of an order that ends: what is left for the seller, at once. */
const payOut = (tx: Transaction, order: OrderRow): OrderChange =>
  isPayoutKnown(order) && sellerMoney(order).payout > 0
    ? { payout_eligible_at: order.payout_eligible_at ?? tx.at, paid_out_at: tx.at }
    : {}

/** Where an order goes, why, and what else changes on the way. */
interface Move {
  readonly to: OrderStatus
  readonly reason?: string | null
  readonly change?: OrderChange
}

/** Moves an order on along an edge and tells both sides. Fails where there is no edge. */
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
