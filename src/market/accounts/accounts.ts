import type { NotFound } from "../../feed/contract/Errors.ts"
import { noSuch } from "../answers/refusals.ts"
import type { SellerStatus } from "../contract/account/accountOperations.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import type { SellerType } from "../contract/orders/orderParts.ts"
import { toMoney, type Store, type Transaction, State } from "../state/State.ts"
import { hash, randomBytes } from "node:crypto"
import { Effect, Result } from "effect"

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

/** A selling account, whose country and currency are known. */
export type SellerRow = AccountRow & {
  readonly country: string
  readonly seller_type: SellerType
  readonly seller_currency: MarketCurrency
}

export const findAccount = (store: Store, id: string): AccountRow | undefined =>
  store.one<AccountRow>("select * from accounts where id = :id", { id })

/** Returns the account with this id. Fails with NOT_FOUND. */
export const accountIn = (store: Store, id: string): Result.Result<AccountRow, NotFound> => {
  const account = findAccount(store, id)
  return account === undefined ? Result.fail(noSuch("account", id)) : Result.succeed(account)
}

export const isSeller = (account: AccountRow | undefined): account is SellerRow => account?.seller_type != null

/** A row of `api_keys`. `ending` is the last letters of the key, which identify it to people. */
export interface KeyRow {
  readonly id: string
  readonly account_id: string
  readonly ending: string
  readonly scopes: string
  readonly created_at: string
  readonly revoked_at: string | null
}

/** Returns a secret: a fixed, informative prefix and random text. Spec: Authentication, 2. */
export const newSecret = (): string => `cl_sandbox_${randomBytes(16).toString("hex")}`

const hashSecret = (secret: string): string => hash("sha256", secret)

/** Binds a key to an account. A known key becomes valid again, with these scopes. */
export const addKey = (
  tx: Transaction,
  accountId: string,
  { scopes, secret }: { readonly secret: string; readonly scopes: ReadonlyArray<string> }
): string => {
  const known = tx.one<{ id: string }>(
    `update api_keys set scopes = :scopes, revoked_at = null
     where secret_hash = :hash and account_id = :accountId returning id`,
    { scopes: JSON.stringify(scopes), hash: hashSecret(secret), accountId }
  )
  if (known !== undefined) return known.id
  const id = tx.newId()
  tx.run(
    `insert into api_keys (id, account_id, secret_hash, ending, scopes, created_at)
     values (:id, :accountId, :hash, :ending, :scopes, :at)`,
    { id, accountId, hash: hashSecret(secret), ending: secret.slice(-4), scopes: JSON.stringify(scopes), at: tx.at }
  )
  return id
}

/** Revokes a key permanently. Returns false if there is none. Spec: Authentication, 6. */
export const revokeKey = (tx: Transaction, id: string): boolean =>
  tx.run("update api_keys set revoked_at = coalesce(revoked_at, :at) where id = :id", { id, at: tx.at }) > 0

/** Returns the username of the key with this SHA-256, for display. Includes revoked keys. */
export const findKeyOwner = (store: Store, secretHash: string): string | undefined =>
  store.one<{ username: string }>(
    "select username from api_keys join accounts on accounts.id = account_id where secret_hash = :secretHash",
    { secretHash }
  )?.username

/** Returns the account and scopes of a key; undefined if it is unknown or revoked. Runs for every request. */
export const findCaller = (store: Store, secret: string) => {
  const row = store.one<{ account_id: string; scopes: string; api_access: number }>(
    `select account_id, scopes, api_access from api_keys join accounts on accounts.id = account_id
     where secret_hash = :hash and revoked_at is null`,
    { hash: hashSecret(secret) }
  )
  return row === undefined
    ? undefined
    : {
        accountId: row.account_id,
        scopes: JSON.parse(row.scopes) as ReadonlyArray<string>,
        mayCall: row.api_access === 1
      }
}

/** An account to create. Without `seller` it only buys. */
interface NewAccount {
  readonly username: string
  readonly email?: string
  readonly country?: string
  /** Fixed id and creation time, for accounts that must be equal in every state. Default: a new id, and now. */
  readonly id?: string
  readonly createdAt?: string
  readonly seller?: { readonly type: SellerType; readonly currency: MarketCurrency; readonly staged?: boolean }
}

/** Default country of a seller, by currency. */
const homeCountries: Readonly<Record<MarketCurrency, string>> = {
  EUR: "DE",
  USD: "US",
  GBP: "GB",
  CAD: "CA",
  CHF: "CH"
}

/** Creates an account; a seller also gets an empty wallet. The username must be free. */
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
      country: country ?? (currency === null ? null : homeCountries[currency]),
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

/** Creates a key and, if missing, its account `sandbox`, which does not sell. */
export const firstAccount = (key: string, scopes: ReadonlyArray<string>) =>
  Effect.flatMap(State, ({ write }) =>
    write((tx) => {
      if (findAccount(tx, first.id) === undefined) makeAccount(tx, first)
      return Result.succeed(addKey(tx, first.id, { secret: key, scopes }))
    })
  )

/** A row of `wallets`: the money of a seller. */
export interface WalletRow {
  readonly currency: MarketCurrency
  readonly available_cents: number
  readonly pending_cents: number
  readonly updated_at: string
}

/** Returns the wallet of an account; undefined if it does not sell. */
export const findWallet = (store: Store, accountId: string): WalletRow | undefined =>
  store.one<WalletRow>("select * from wallets where account_id = :accountId", { accountId })

/** Returns a wallet as the API shows it. */
export const showBalance = (wallet: WalletRow) => ({
  available: toMoney(wallet.available_cents, wallet.currency),
  pending: toMoney(wallet.pending_cents, wallet.currency),
  updatedAt: wallet.updated_at
})
