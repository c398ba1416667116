import type { Field } from "../../desk/pages/chooseForm.ts"
import type { Store } from "../state/State.ts"

/** More would make a list that nobody reads. */
const maxChoices = 1000

const traders = `
select id, username from accounts where id not in (select account_id from invented_sellers) order by username limit :maxChoices`

/** A field that chooses one of the accounts; `none` is the choice of none of them. */
export const accountChoice = (
  store: Store,
  name: string,
  { none, value = "" }: { none?: string; value?: string } = {}
) =>
  ({
    kind: "choice",
    name,
    label: "Account",
    value,
    options: [
      ...(none === undefined ? [] : [["", none] as const]),
      ...store
        .all<{ id: string; username: string }>(traders, { maxChoices })
        .map(({ id, username }) => [id, username] as const)
    ]
  }) satisfies Field

/** What an account is called. */
export const nameOf = (store: Store, accountId: string): string =>
  store.one<{ username: string }>("select username from accounts where id = :accountId", { accountId })?.username ??
  accountId
