import { Result } from "effect"
import type { InvalidStatus } from "../contract/orders/OrderErrors.ts"
import type { Rating } from "../contract/orders/OrderParty.ts"
import type { Transaction } from "../state/State.ts"
import { invalidStatus } from "./moveOrder.ts"
import type { OrderRow } from "./OrderRow.ts"

/**
 * The buyer rates the seller, once the parcel has arrived; a second review
 * takes the place of the first. Returns the seller's rating.
 */
export const reviewOrder = (
  tx: Transaction,
  order: OrderRow,
  stars: number
): Result.Result<typeof Rating.Type, InvalidStatus> => {
  // An untracked parcel arrives when its order is completed.
  if (order.delivered_at === null && order.status !== "completed") return Result.fail(invalidStatus(order.status))
  tx.run(
    `insert into reviews values (:number, :seller, :stars, :at)
     on conflict (order_number) do update set stars = excluded.stars, reviewed_at = excluded.reviewed_at`,
    { number: order.order_number, seller: order.seller_id, stars, at: tx.at }
  )
  const rating = tx.one<typeof Rating.Type>(
    "select avg(stars) as average, count(*) as count from reviews where seller_id = :seller",
    { seller: order.seller_id }
  ) ?? { average: null, count: 0 }
  tx.run("update accounts set rating_average = :average, rating_count = :count where id = :seller", {
    ...rating,
    seller: order.seller_id
  })
  return Result.succeed(rating)
}
