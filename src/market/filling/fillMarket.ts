import { Effect, Result } from "effect"
import { State } from "../state/State.ts"
import { makeDrawn } from "./drawn.ts"
import { fillAccounts } from "./fillAccounts.ts"
import { fillOrders } from "./fillOrders.ts"
import { fillStock } from "./fillStock.ts"

/** What a market is filled with; equal fillings of equal catalogues give equal markets, but for the instants. */
export interface Filling {
  readonly seed: number
  readonly accounts: number
  readonly orders: number
}

/** Enough stock for every order, however the orders fall. */
const linesOf = (orders: number, sellers: number) => Math.min(1000, 20 + Math.ceil((orders * 2) / Math.max(1, sellers)))

const countAccounts = `
select count(*) as count from accounts where id not in (select account_id from invented_sellers)`

/** Fills a market that has no traders yet with accounts, stock and orders. One that was kept stays as it is. */
export const fillMarket = Effect.fnUntraced(function* ({ accounts, orders, seed }: Filling) {
  const { store, write } = yield* State
  if ((store.one<{ count: number }>(countAccounts)?.count ?? 0) > 1) return
  const drawn = makeDrawn(seed)
  const traders = yield* write((tx) => Result.succeed(fillAccounts(tx, drawn, { accounts, seed })))
  yield* fillStock(drawn, traders, linesOf(orders, traders.sellers.length))
  yield* fillOrders(drawn, traders.buyers, orders)
})
