import type { OrderParty } from "../contract/orders/OrderParty.ts"
import { type AccountRow, findAccount } from "../accounts/accountRows.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import type { Store } from "../state/Store.ts"

/** Ours: how many days count as recent, and the fewest orders that say anything. */
const recentMillis = 90 * 86_400_000
const leastOrders = 5

interface HandledRow {
  readonly orders: number
  readonly completed: number
  readonly ship_hours: number | null
}

/** How a seller handled recent orders; null when there are too few. Spec: OrderPartyReliability. */
const reliabilityOf = (store: Store, sellerId: string, now: number): OrderParty["reliability"] => {
  const row = store.one<HandledRow>(
    `select count(*) as orders, count(*) filter (where status = 'completed') as completed,
       avg((julianday(shipped_at) - julianday(placed_at)) * 24) as ship_hours
     from orders where seller_id = :sellerId and placed_at >= :since`,
    { sellerId, since: textOfMillis(now - recentMillis) }
  )
  if (row === undefined || row.orders < leastOrders) return null
  return {
    orderCount: row.orders,
    completedCount: row.completed,
    completionRate: row.completed / row.orders,
    avgShipTimeHours: row.ship_hours === null ? null : Math.round(row.ship_hours * 10) / 10
  }
}

const partyOf = (account: AccountRow): Omit<OrderParty, "reliability"> => ({
  id: account.id,
  username: account.username,
  avatarUrl: account.image_url === "" ? null : account.image_url,
  country: account.country,
  type: account.seller_type,
  rating: { average: account.rating_average, count: account.rating_count }
})

const accountOf = (store: Store, id: string): AccountRow => {
  const account = findAccount(store, id)
  if (account === undefined) throw new Error(`The account ${id} of an order is gone`)
  return account
}

/** Who bought, as the seller sees it. Spec: OrderParty. */
export const buyerParty = (store: Store, id: string): OrderParty => ({
  ...partyOf(accountOf(store, id)),
  reliability: null
})

/** Who sold, as the buyer sees it. Spec: OrderParty. */
export const sellerParty = (store: Store, id: string, now: number): OrderParty => ({
  ...partyOf(accountOf(store, id)),
  reliability: reliabilityOf(store, id, now)
})
