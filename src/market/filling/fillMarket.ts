import { Effect, Result } from "effect"
import { MarketClock } from "../state/MarketClock.ts"
import { atInstant } from "../state/atInstant.ts"
import { State, type Store } from "../state/State.ts"
import type { AccountsFile } from "./AccountsFile.ts"
import { makeDrawn } from "./drawn.ts"
import { fillAccounts } from "./fillAccounts.ts"
import { filledDays, fillOrders } from "./fillOrders.ts"
import { fillNamed } from "./fillNamed.ts"
import { fillStock } from "./fillStock.ts"

/** What a market is filled with; equal fillings of equal catalogues give equal markets, but for the instants. */
export interface Filling {
  readonly seed: number
  readonly accounts: number
  readonly orders: number
}

/** What a market begins with besides the account of its key: named accounts, and drawn ones. */
export interface Beginning {
  readonly filling?: Filling | undefined
  readonly named?: AccountsFile | undefined
}

/** Enough stock for every order, however the orders fall. */
const linesOf = (orders: number, sellers: number) => Math.min(1000, 20 + Math.ceil((orders * 2) / Math.max(1, sellers)))

const countAccounts = `
select count(*) as count from accounts where id not in (select account_id from invented_sellers)`

const dayMillis = 86_400_000

const hasTraders = (store: Store): boolean => (store.one<{ count: number }>(countAccounts)?.count ?? 0) > 1

/** Accounts and stock of three months ago, and the orders since. */
const fillDrawn = Effect.fnUntraced(function* ({ accounts, orders, seed }: Filling) {
  const { write } = yield* State
  const nowMillis = (yield* MarketClock).now()
  const atMillis = nowMillis - (filledDays + 1) * dayMillis
  const drawn = makeDrawn(seed)
  const traders = yield* write((tx) => Result.succeed(fillAccounts(atInstant(tx, atMillis), drawn, { accounts, seed })))
  yield* fillStock(drawn, traders, { linesEach: linesOf(orders, traders.sellers.length), atMillis })
  yield* fillOrders(drawn, traders, { orders, nowMillis })
})

/** Fills a market that has no traders yet. One that was kept stays as it is. */
export const fillMarket = Effect.fnUntraced(function* ({ filling, named }: Beginning) {
  const { store } = yield* State
  if (hasTraders(store)) return
  if (named !== undefined) yield* fillNamed(named)
  if (filling !== undefined) yield* fillDrawn(filling)
})
