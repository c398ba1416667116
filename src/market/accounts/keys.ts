import { hash, randomBytes } from "node:crypto"
import type { Store, Transaction } from "../state/State.ts"

/** A row of `api_keys`. `ending` is the last letters of the key, for people to tell keys apart. */
export interface KeyRow {
  readonly id: string
  readonly account_id: string
  readonly ending: string
  readonly scopes: string
  readonly created_at: string
  readonly revoked_at: string | null
}

/** A fixed, informative prefix, then a random text. Spec: Authentication, 2. */
export const newSecret = (): string => `cl_sandbox_${randomBytes(16).toString("hex")}`

const hashOf = (secret: string): string => hash("sha256", secret)

/** Binds a key to an account; an already known key gets these scopes and is valid again. */
export const addKey = (
  tx: Transaction,
  accountId: string,
  { scopes, secret }: { readonly secret: string; readonly scopes: ReadonlyArray<string> }
): string => {
  const known = tx.one<{ id: string }>(
    `update api_keys set scopes = :scopes, revoked_at = null
     where secret_hash = :hash and account_id = :accountId returning id`,
    { scopes: JSON.stringify(scopes), hash: hashOf(secret), accountId }
  )
  if (known !== undefined) return known.id
  const id = tx.newId()
  tx.run(
    `insert into api_keys (id, account_id, secret_hash, ending, scopes, created_at)
     values (:id, :accountId, :hash, :ending, :scopes, :at)`,
    { id, accountId, hash: hashOf(secret), ending: secret.slice(-4), scopes: JSON.stringify(scopes), at: tx.at }
  )
  return id
}

/** True if there was such a key; a revoked key stays revoked. Spec: Authentication, 6. */
export const revokeKey = (tx: Transaction, id: string): boolean =>
  tx.run("update api_keys set revoked_at = coalesce(revoked_at, :at) where id = :id", { id, at: tx.at }) > 0

/** Whose key has this SHA-256, to show it; also a revoked one. */
export const findKeyOwner = (store: Store, secretHash: string): string | undefined =>
  store.one<{ username: string }>(
    "select username from api_keys join accounts on accounts.id = account_id where secret_hash = :secretHash",
    { secretHash }
  )?.username

/** Whose key it is and what it may do; undefined if it is unknown or revoked. Looked up for every request. */
export const findCaller = (store: Store, secret: string) => {
  const row = store.one<{ account_id: string; scopes: string; api_access: number }>(
    `select account_id, scopes, api_access from api_keys join accounts on accounts.id = account_id
     where secret_hash = :hash and revoked_at is null`,
    { hash: hashOf(secret) }
  )
  return row === undefined
    ? undefined
    : {
        accountId: row.account_id,
        scopes: JSON.parse(row.scopes) as ReadonlyArray<string>,
        mayCall: row.api_access === 1
      }
}
