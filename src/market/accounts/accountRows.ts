import type { SellerStatus } from "../contract/account/accountOperations.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import type { SellerType } from "../contract/orders/OrderParty.ts"
import type { Store } from "../state/State.ts"

/** A row of `accounts`. */
export interface AccountRow {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly image_url: string
  readonly country: string | null
  readonly created_at: string
  readonly api_access: number
  readonly seller_type: SellerType | null
  readonly seller_currency: MarketCurrency | null
  readonly seller_stage: "staged" | "live"
  readonly seller_status: SellerStatus
  readonly vacation_since: string | null
  readonly rating_average: number | null
  readonly rating_count: number
}

/** An account that sells: its country and currency are known. */
export type SellerRow = AccountRow & {
  readonly country: string
  readonly seller_type: SellerType
  readonly seller_currency: MarketCurrency
}

export const findAccount = (store: Store, id: string): AccountRow | undefined =>
  store.one<AccountRow>("select * from accounts where id = :id", { id })

export const isSeller = (account: AccountRow | undefined): account is SellerRow => account?.seller_type != null
