import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotFound } from "../../contract/Errors.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { type AccountRow, findAccount, isSeller } from "../accounts/accountRows.ts"
import { addKey, type KeyRow, newSecret, revokeKey } from "../accounts/keys.ts"
import { makeAccount } from "../accounts/makeAccount.ts"
import { State, type Transaction } from "../state/State.ts"
import { ControlApi } from "./ControlApi.ts"

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

const noSuch = (what: "account" | "key", id: string) =>
  new NotFound({ code: "NOT_FOUND", status: 404, message: `No ${what} has the id ${id}`, data: {} })

const accountOf = (tx: Transaction, id: string) => {
  const account = findAccount(tx, id)
  return account === undefined ? Result.fail(noSuch("account", id)) : Result.succeed(account)
}

const giveKey = (tx: Transaction, accountId: string, scopes: ReadonlyArray<string>) => {
  const key = newSecret()
  return { id: addKey(tx, accountId, { secret: key, scopes }), key, scopes }
}

/** Makes accounts and keys, and takes keys back. Spec: Authentication, 3 and 6. */
export const accountControl = HttpApiBuilder.group(ControlApi, "controlAccounts", (handlers) =>
  handlers
    .handle("accounts", () =>
      Effect.map(State, ({ store }) => ({
        data: store.all<AccountRow>("select * from accounts order by id").map(shown)
      }))
    )
    .handle("createAccount", ({ payload }) =>
      Effect.flatMap(State, ({ write }) =>
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
    )
    .handle("changeAccount", ({ params: { accountId }, payload }) =>
      Effect.flatMap(State, ({ write }) =>
        write((tx) =>
          Result.map(accountOf(tx, accountId), (account) => {
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
    )
    .handle("keys", () =>
      Effect.map(State, ({ store }) => ({
        data: store.all<KeyRow>("select * from api_keys order by id").map((key) => ({
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
      Effect.flatMap(State, ({ write }) =>
        write((tx) => Result.map(accountOf(tx, accountId), ({ id }) => giveKey(tx, id, scopes)))
      )
    )
    .handle("revokeKey", ({ params: { keyId } }) =>
      Effect.flatMap(State, ({ write }) =>
        write((tx) =>
          revokeKey(tx, keyId) ? Result.succeed({ revoked: true as const }) : Result.fail(noSuch("key", keyId))
        )
      )
    )
)
