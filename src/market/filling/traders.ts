import { findAccount, isSeller } from "../accounts/accountRows.ts"
import { findCaller } from "../accounts/keys.ts"
import { listingIdOf } from "../buying/ListingRow.ts"
import type { Store } from "../state/State.ts"
import { filledKey } from "./fillAccounts.ts"
import type { Beginning } from "./fillMarket.ts"
import { keysOf } from "./fillNamed.ts"
import { offersTo } from "./fillOrders.ts"

/** An account that a developer begins with, and a key to it. */
export interface Trader {
  readonly username: string
  readonly accountId: string
  readonly key: string
  readonly scopes: ReadonlyArray<string>
}

/** Who sells and who buys at the beginning, and a listing of the one that the other can buy. */
export interface FirstTraders {
  readonly seller?: Trader
  readonly buyer?: Trader
  readonly listingId?: string
}

const keysIn = ({ filling, named }: Beginning): ReadonlyArray<string> => [
  ...(named?.accounts ?? []).flatMap((account) => keysOf(account).map(({ key }) => key)),
  ...(filling === undefined ? [] : ["seller-1", "buyer-1"].map((name) => filledKey(filling.seed, name)))
]

/** The first seller and buyer of a beginning whose keys are valid: a state that was kept may know none of them. */
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
