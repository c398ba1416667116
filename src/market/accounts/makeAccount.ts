import type { MarketCurrency } from "../contract/Money.ts"
import type { SellerType } from "../contract/orders/OrderParty.ts"
import { type AccountRow, findAccount } from "./accountRows.ts"
import { type Transaction, State } from "../state/State.ts"
import { Effect, Result } from "effect"
import { addKey } from "./keys.ts"

/** An account as it is asked for. Without `seller` it only buys. */
interface NewAccount {
  readonly username: string
  readonly email?: string
  readonly country?: string
  /** Default: a new id, and now; given if they must be the same in every state. */
  readonly id?: string
  readonly createdAt?: string
  readonly seller?: { readonly type: SellerType; readonly currency: MarketCurrency; readonly staged?: boolean }
}

/** The country of a seller who does not state one. */
const homeOf: Readonly<Record<MarketCurrency, string>> = { EUR: "DE", USD: "US", GBP: "GB", CAD: "CA", CHF: "CH" }

/** Adds an account, for a seller with an empty wallet. The username must be free. */
export const makeAccount = (
  tx: Transaction,
  { username, email = `${username}@example.com`, country, seller, id = tx.newId(), createdAt = tx.at }: NewAccount
): AccountRow => {
  const currency = seller?.currency ?? null
  const made = tx.one<AccountRow>(
    `insert into accounts (id, username, email, country, created_at, seller_type, seller_currency, seller_stage)
     values (:id, :username, :email, :country, :createdAt, :type, :currency, :stage) returning *`,
    {
      id,
      username,
      email,
      country: country ?? (currency === null ? null : homeOf[currency]),
      createdAt,
      type: seller?.type ?? null,
      currency,
      stage: seller?.staged === true ? "staged" : "live"
    }
  )
  if (currency !== null) {
    tx.run("insert into wallets (account_id, currency, updated_at) values (:id, :currency, :at)", {
      id,
      currency,
      at: tx.at
    })
  }
  if (made === undefined) throw new Error(`The account ${id} was not inserted`)
  return made
}

const first = { id: "acc_sandbox", username: "sandbox", createdAt: "2026-01-01T00:00:00.000Z" }

/** The account `sandbox`, which always exists, and a key to it. It does not sell. */
export const firstAccount = (key: string, scopes: ReadonlyArray<string>) =>
  Effect.flatMap(State, ({ write }) =>
    write((tx) => {
      if (findAccount(tx, first.id) === undefined) makeAccount(tx, first)
      return Result.succeed(addKey(tx, first.id, { secret: key, scopes }))
    })
  )
