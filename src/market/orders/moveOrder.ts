import { Result } from "effect"
import { InvalidTransition } from "../contract/account/AccountErrors.ts"
import { nextStatuses, type OrderStatus } from "../contract/orders/OrderStatus.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import type { Transaction } from "../state/State.ts"
import { emitStatus } from "./orderEvents.ts"
import { sellerMoney } from "./orderMoney.ts"
import type { OrderRow } from "./OrderRow.ts"
import { dueAfter } from "./orderTimes.ts"
import { isPayoutKnown, type OrderChange, saveOrder } from "./saveOrder.ts"

/** A tracked parcel is delivered before its order is completed. Beyond the spec: section 12. */
const mayFollow = ({ status, shipping_service }: OrderRow, to: OrderStatus): boolean =>
  nextStatuses[status].includes(to) && !(status === "shipped" && to === "completed" && shipping_service !== "untracked")

/** The statuses that an order can move to now. */
export const nextSteps = (order: OrderRow): ReadonlyArray<OrderStatus> =>
  nextStatuses[order.status].filter((to) => mayFollow(order, to))

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
      ? { payout_eligible_at: due === null ? null : textOfMillis(due), [`${to}_at`]: tx.at }
      : {}),
    ...(isFinal(to) ? { completed_at: tx.at, ...payOut(tx, moved) } : {})
  })
  emitStatus(tx, after, { from: order.status, reason })
  return Result.succeed(after)
}
