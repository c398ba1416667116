import { Result } from "effect"
import type { BadRequest } from "../../feed/contract/Errors.ts"
import { badRequest } from "../answers/refusals.ts"
import type { OrderStatus } from "../contract/orders/OrderStatus.ts"
import type { OrderRow } from "../orders/OrderRow.ts"
import type { Store } from "../state/State.ts"

/** Which orders are asked for; `cursor` is the last order of the page before. */
interface WantedOrders {
  readonly accountId?: string | undefined
  readonly status?: OrderStatus | undefined
  /** The day they were placed on. */
  readonly day?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

const select = `
select * from orders
where (:accountId is null or :accountId in (buyer_id, seller_id))
  and (:status is null or status = :status)
  and (:day is null or substr(placed_at, 1, 10) = :day)
  and number < :before
order by number desc limit :limit`

/** A page of orders, newest first, and the cursor of the next one. */
export const orderPage = (
  store: Store,
  { accountId, cursor, day, limit, status }: WantedOrders
): Result.Result<{ readonly orders: ReadonlyArray<OrderRow>; readonly nextCursor: string | null }, BadRequest> => {
  const before =
    cursor === undefined
      ? Number.MAX_SAFE_INTEGER
      : store.one<{ number: number }>("select number from orders where order_number = :cursor", { cursor })?.number
  if (before === undefined) return Result.fail(badRequest("cursor", "is not a cursor of this list; start without one"))
  const rows = store.all<OrderRow>(select, {
    accountId: accountId ?? null,
    status: status ?? null,
    day: day ?? null,
    before,
    limit: limit + 1
  })
  const orders = rows.slice(0, limit)
  return Result.succeed({
    orders,
    nextCursor: rows.length > limit ? (orders.at(-1)?.order_number ?? null) : null
  })
}
