import { Effect, Result } from "effect"
import { MarketClock } from "../state/MarketClock.ts"
import { State, type Transaction } from "../state/State.ts"
import type { OrderRow } from "./OrderRow.ts"
import { stepOrder } from "./stepOrder.ts"

/** What happens to an order automatically: nobody shipped or answered, or the parcel has arrived. */
const dueStep = ({ status }: OrderRow) => {
  if (status === "pending_shipment") return { to: "cancelled_auto", reason: "not_shipped" } as const
  if (status === "cancellation_requested") return { to: "cancelled_auto", reason: "not_answered" } as const
  return { to: "completed" } as const
}

/** The orders and refunds that are due by now. */
const doDue = (tx: Transaction): Result.Result<void> => {
  tx.run(
    "update orders set refunded_at = :at, updated_at = :at, refund_due_millis = null where refund_due_millis <= :now",
    { at: tx.at, now: tx.atMillis }
  )
  const due = tx.all<OrderRow>("select * from orders where due_at_millis <= :now order by due_at_millis, number", {
    now: tx.atMillis
  })
  for (const order of due) Result.getOrThrow(stepOrder(tx, order, dueStep(order)))
  return Result.succeed(undefined)
}

interface NextRow {
  readonly next: number | null
}

/** Orders that move on by themselves when their time comes. */
export const orderTimers = Effect.gen(function* () {
  const { store, write } = yield* State
  const { register } = yield* MarketClock
  register({
    name: "the orders' own steps",
    nextAt: () => {
      const times = [
        store.one<NextRow>("select min(due_at_millis) as next from orders where due_at_millis is not null"),
        store.one<NextRow>("select min(refund_due_millis) as next from orders where refund_due_millis is not null")
      ].flatMap((row) => row?.next ?? [])
      return times.length === 0 ? undefined : Math.min(...times)
    },
    run: write(doDue)
  })
})
