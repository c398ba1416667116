import { cursorPage } from "../answers/cursorPage.ts"
import { Effect } from "effect"
import { html, type Html } from "../../desk/pages/html.ts"
import { type AccountRow, isSeller, type KeyRow } from "../accounts/accounts.ts"
import { State, type Store } from "../state/State.ts"
import { callButton, live, pageRows, pager, rowsTable, type PageOf, readText } from "./RoomPage.ts"
import { operationForm } from "./operationForm.ts"

const select = `
select * from accounts
where id not in (select account_id from invented_sellers) and id > :after
order by id limit :limit`

const listKeys = (store: Store, accountId: string): ReadonlyArray<KeyRow> =>
  store.all<KeyRow>("select * from api_keys where account_id = :accountId order by id", { accountId })

/** Lists valid keys by their last letters; secrets are not stored. */
const keyList = (keys: ReadonlyArray<KeyRow>): Html => {
  const valid = keys.filter(({ revoked_at }) => revoked_at === null)
  const revoked = keys.length - valid.length
  return html`${valid.map(
    ({ ending, id, scopes }) =>
      html`<div>
        <code>…${ending}</code> ${(JSON.parse(scopes) as ReadonlyArray<string>).join(" ")}
        ${callButton("Revoke", { method: "DELETE", path: `/sandbox/keys/${id}` })}
      </div>`
  )}${revoked > 0 && html`<div>${revoked} revoked</div>`}`
}

const accountRow = (store: Store, account: AccountRow) => [
  account.username,
  html`<code>${account.id}</code>`,
  account.country,
  isSeller(account) && `${account.seller_type}, ${account.seller_currency}, ${account.seller_status}`,
  keyList(listKeys(store, account.id)),
  callButton("New key", { method: "POST", path: `/sandbox/accounts/${account.id}/keys`, body: { scopes: ["*"] } })
]

const newAccount = () =>
  operationForm("createAccount", {
    label: "Make an account",
    only: ["username", "country", "seller.type", "seller.currency"],
    values: { country: "DE" }
  })

export const accountsPage: PageOf = Effect.fnUntraced(function* (request) {
  const { store } = yield* State
  const after = readText(request, "after") ?? ""
  const found = store.all<AccountRow>(select, { after, limit: pageRows + 1 })
  const { next, shown } = cursorPage(found, pageRows, ({ id }) => id)
  return {
    title: "Accounts",
    says: "A key is shown once, when it is made, with a button that copies it. Invented sellers are not listed.",
    body: html`${newAccount()}
    ${live("accounts", [
      rowsTable({
        caption: "Accounts",
        heads: ["account", "id", "country", "sells", "keys", ""],
        rows: shown.map((account) => accountRow(store, account)),
        empty: "There are no further accounts."
      }),
      pager(request.path, request.query, ["after", next])
    ])}`
  }
})
