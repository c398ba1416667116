// Generated from the contract by: node test/sdk/writeWire.ts
import type { Money } from "./shared.ts"

/** While it is on, listings are hidden and no orders come; the inventory is kept. */
export interface Vacation {
  enabled: boolean
  status: SellerStatus
  /** ISO 8601, UTC. */
  since: string | null
}

/** Only `active` and `paused` change with the vacation. */
export type SellerStatus = "active" | "paused" | "suspended" | "banned"

/** Switches the vacation on or off. */
export interface VacationRequest {
  enabled: boolean
  reason?: string | undefined
}

/** `available` can be paid out; `pending` is of open orders. */
export interface Balance {
  available: Money
  pending: Money
  /** ISO 8601, UTC. */
  updatedAt: string
}

/** The account behind the key. `seller` is null for an account that only buys; `scopes` are those of this key. */
export interface Account {
  id?: string | null
  username: string
  email?: string | null
  imageUrl?: string | null
  /** ISO 8601, UTC. */
  createdAt?: string | null
  seller: AccountSeller | null
  scopes: Array<string>
}

export interface AccountSeller {
  type: string
  country: string
  currency: string
  available: boolean
  status?: "staged" | "live" | null
}
