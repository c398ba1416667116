import { Effect } from "effect"
import { dayMillis, MarketClock } from "../state/MarketClock.ts"
import { atInstant, commit, State, type Store } from "../state/State.ts"
import type { AccountsFile } from "./AccountsFile.ts"
import { makeDrawn } from "../catalogue/seededNumber.ts"
import { fillAccounts, filledKey, fillStock } from "./fillStock.ts"
import { filledDays, fillOrders, offersTo } from "./fillOrders.ts"
import { fillNamed, listKeys } from "./fillNamed.ts"
import { findAccount, isSeller, findCaller } from "../accounts/accounts.ts"
import { listingIdOf } from "../inventory/LineRow.ts"

/** Settings of generated data. Equal fillings and catalogues give equal markets except for instants. */
export interface Filling {
  readonly seed: number
  readonly accounts: number
  readonly orders: number
}

/** Initial data in addition to the account `sandbox`: named and generated accounts. */
export interface Beginning {
  readonly filling?: Filling | undefined
  readonly named?: AccountsFile | undefined
}

/** Returns the lines per seller: enough stock for every distribution of orders. */
const countLines = (orders: number, sellers: number) =>
  Math.min(1000, 20 + Math.ceil((orders * 2) / Math.max(1, sellers)))

const countAccounts = `
select count(*) as count from accounts where id not in (select account_id from invented_sellers)`

const hasTraders = (store: Store): boolean => (store.one<{ count: number }>(countAccounts)?.count ?? 0) > 1

/** Creates accounts and stock dated three months ago, and the orders since. */
const fillDrawn = Effect.fnUntraced(function* ({ accounts, orders, seed }: Filling) {
  const nowMillis = (yield* MarketClock).now()
  const atMillis = nowMillis - (filledDays + 1) * dayMillis
  const drawn = makeDrawn(seed)
  const traders = yield* commit((tx) => fillAccounts(atInstant(tx, atMillis), drawn, { accounts, seed }))
  yield* fillStock(drawn, traders, { linesEach: countLines(orders, traders.sellers.length), atMillis })
  yield* fillOrders(drawn, traders, { orders, nowMillis })
})

/** Fills a market without traders. A stored state is not changed. */
export const fillMarket = Effect.fnUntraced(function* ({ filling, named }: Beginning) {
  const { store } = yield* State
  if (hasTraders(store)) return
  if (named !== undefined) yield* fillNamed(named)
  if (filling !== undefined) yield* fillDrawn(filling)
})

/** An initial account and its key. */
export interface Trader {
  readonly username: string
  readonly accountId: string
  readonly key: string
  readonly scopes: ReadonlyArray<string>
}

/** The initial seller and buyer, and a listing of the seller that the buyer can buy. */
export interface FirstTraders {
  readonly seller?: Trader
  readonly buyer?: Trader
  readonly listingId?: string
}

const keysIn = ({ filling, named }: Beginning): ReadonlyArray<string> => [
  ...(named?.accounts ?? []).flatMap((account) => listKeys(account).map(({ key }) => key)),
  ...(filling === undefined ? [] : ["seller-1", "buyer-1"].map((name) => filledKey(filling.seed, name)))
]

/** Returns the first seller and buyer with valid keys. A stored state may have none of them. */
export const firstTraders = (store: Store, beginning: Beginning): FirstTraders => {
  const found: { seller?: Trader; buyer?: Trader } = {}
  for (const key of keysIn(beginning)) {
    const { accountId = "", scopes = [] } = findCaller(store, key) ?? {}
    const account = findAccount(store, accountId)
    if (account === undefined) continue
    found[isSeller(account) ? "seller" : "buyer"] ??= { username: account.username, accountId, key, scopes }
  }
  const { buyer, seller } = found
  if (buyer === undefined || seller === undefined) return found
  const offer = offersTo(store, buyer.accountId, seller.accountId).find(({ quantity }) => quantity > 1)
  return offer === undefined ? found : { ...found, listingId: listingIdOf(offer.id) }
}
