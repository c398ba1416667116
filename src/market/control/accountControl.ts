import { route } from "../contract/operationRows.ts"
import { Schema, Effect, Result } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { scopes } from "../../feed/contract/Authorization.ts"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { SellerStatus } from "../contract/account/accountOperations.ts"
import { noSuch } from "../answers/refusals.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { MarketCurrency } from "../contract/Money.ts"
import { Country, SellerType } from "../contract/orders/orderParts.ts"
import {
  accountIn,
  type AccountRow,
  findAccount,
  isSeller,
  addKey,
  type KeyRow,
  newSecret,
  revokeKey,
  makeAccount
} from "../accounts/accounts.ts"
import { State, type Transaction, write } from "../state/State.ts"

const Seller = { type: SellerType, currency: MarketCurrency }
const Stage = Schema.Literals(["staged", "live"])
/** Scopes of a new key. Literals catch a misspelled scope before a request is refused. */
const NewKeyScopes = Schema.Array(Schema.Literals(scopes))
/** Scopes of an existing key. */
const Scopes = Schema.Array(Schema.String)

/** An account as the control routes show it. */
const ControlAccount = Schema.Struct({
  id: Schema.String,
  username: Schema.String,
  country: Schema.NullOr(Country),
  apiAccess: Schema.Boolean,
  seller: Schema.NullOr(Schema.Struct({ ...Seller, stage: Stage, status: SellerStatus }))
}).annotate({ title: "ControlAccount" })

/** A key without its secret; `ending` is its last letters. */
const ControlKey = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  ending: Schema.String,
  scopes: Scopes,
  createdAt: Schema.String,
  revokedAt: Schema.NullOr(Schema.String)
}).annotate({ title: "ControlKey" })

const NewAccount = Schema.Struct({
  username: Schema.NonEmptyString,
  email: Schema.optionalKey(Schema.NonEmptyString),
  country: Schema.optionalKey(Country),
  seller: Schema.optionalKey(Schema.Struct({ ...Seller, staged: Schema.optionalKey(Schema.Boolean) })),
  scopes: Schema.optionalKey(
    NewKeyScopes.annotate({ description: "Of the account's first key; by default everything." })
  )
}).annotate({ title: "NewAccount" })

const AccountChange = Schema.Struct({
  apiAccess: Schema.optionalKey(Schema.Boolean),
  stage: Schema.optionalKey(Stage),
  status: Schema.optionalKey(SellerStatus)
}).annotate({ title: "AccountChange" })

/** A new key with its secret, which is shown only here. */
const NewKey = Schema.Struct({ id: Schema.String, key: Schema.String, scopes: Scopes }).annotate({ title: "NewKey" })

/** Accounts and keys, which the real marketplace creates in web pages. Beyond the spec: section 9. */
export const accountRoutes = HttpApiGroup.make("controlAccounts").add(
  route("GET", "accounts", "/sandbox/accounts", "Every account", {
    success: Schema.Struct({ data: Schema.Array(ControlAccount) })
  }),
  route("POST", "createAccount", "/sandbox/accounts", "Make an account with a key, which is shown once", {
    payload: NewAccount,
    success: Schema.Struct({ account: ControlAccount, key: NewKey }),
    error: [Conflict]
  }),
  route(
    "PATCH",
    "changeAccount",
    "/sandbox/accounts/:accountId",
    "Change an account's access to the API, its seller's stage or status",
    { payload: AccountChange, success: ControlAccount }
  ),
  route("GET", "keys", "/sandbox/keys", "Every key, without its secret", {
    success: Schema.Struct({ data: Schema.Array(ControlKey) })
  }),
  route("POST", "createKey", "/sandbox/accounts/:accountId/keys", "Give an account another key, which is shown once", {
    payload: Schema.Struct({ scopes: NewKeyScopes }),
    success: NewKey
  }),
  route("DELETE", "revokeKey", "/sandbox/keys/:keyId", "Take a key back", {
    success: Schema.Struct({ revoked: Schema.Literal(true) })
  })
)

const shown = (account: AccountRow) => ({
  id: account.id,
  username: account.username,
  country: account.country,
  apiAccess: account.api_access === 1,
  seller: isSeller(account)
    ? {
        type: account.seller_type,
        currency: account.seller_currency,
        stage: account.seller_stage,
        status: account.seller_status
      }
    : null
})

const giveKey = (tx: Transaction, accountId: string, scopes: ReadonlyArray<string>) => {
  const key = newSecret()
  return { id: addKey(tx, accountId, { secret: key, scopes }), key, scopes }
}

/** Creates accounts and keys, and revokes keys. Spec: Authentication, 3 and 6. */
export const accountControl = controlHandlers(accountRoutes, (handlers) =>
  handlers
    .handle("accounts", () =>
      Effect.map(State, ({ store }) => ({
        data: store.all<AccountRow>("select * from accounts order by id").map(shown)
      }))
    )
    .handle("createAccount", ({ payload }) =>
      write((tx) => {
        const { scopes = ["*"], username, ...rest } = payload
        if (tx.one("select id from accounts where username = :username", { username }) !== undefined) {
          const data = { name: username }
          return Result.fail(new Conflict({ message: `The username ${username} is taken`, data }))
        }
        const account = makeAccount(tx, { username, ...rest })
        return Result.succeed({ account: shown(account), key: giveKey(tx, account.id, scopes) })
      })
    )
    .handle("changeAccount", ({ params: { accountId }, payload }) =>
      write((tx) =>
        Result.map(accountIn(tx, accountId), (account) => {
          tx.run(
            `update accounts set api_access = :access, seller_stage = :stage, seller_status = :status
               where id = :accountId`,
            {
              accountId,
              access: (payload.apiAccess ?? account.api_access === 1) ? 1 : 0,
              stage: payload.stage ?? account.seller_stage,
              status: payload.status ?? account.seller_status
            }
          )
          return shown({ ...account, ...findAccount(tx, accountId) })
        })
      )
    )
    .handle("keys", () =>
      Effect.map(State, ({ store }) => ({
        data: store
          .all<KeyRow>("select * from api_keys order by id")
          .map((key) => ({
            id: key.id,
            accountId: key.account_id,
            ending: key.ending,
            scopes: JSON.parse(key.scopes) as ReadonlyArray<string>,
            createdAt: key.created_at,
            revokedAt: key.revoked_at
          }))
      }))
    )
    .handle("createKey", ({ params: { accountId }, payload: { scopes } }) =>
      write((tx) => Result.map(accountIn(tx, accountId), ({ id }) => giveKey(tx, id, scopes)))
    )
    .handle("revokeKey", ({ params: { keyId } }) =>
      write((tx) =>
        revokeKey(tx, keyId) ? Result.succeed({ revoked: true as const }) : Result.fail(noSuch("key", keyId))
      )
    )
)
