import { Effect, Schema } from "effect"
import { matching } from "../../feed/contract/Catalogue.ts"
import { scopes } from "../../feed/contract/Authorization.ts"
import { firstFault } from "../answers/refusals.ts"
import { NewLine } from "../contract/inventory/InventoryLine.ts"
import { MarketCurrency } from "../contract/Money.ts"
import { Country, SellerType } from "../contract/orders/orderParts.ts"
import { Selling } from "../buying/buyingControl.ts"
import { readUserFile } from "../faults/readFaultPlan.ts"

/** The accounts file is invalid. `path` names the field; it is empty for the complete file. */
export class AccountsInvalid extends Schema.TaggedError<AccountsInvalid>()("AccountsInvalid", {
  source: Schema.String,
  path: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    const place = this.path === "" ? "" : ` at ${this.path}`
    return `${this.source} cannot be used${place}: ${this.reason}. A small one is {"accounts":[{"username":"ann","seller":{"type":"pro","currency":"EUR"}}]}`
  }
}

const Key = Schema.Struct({
  key: Schema.String.check(matching(/^[!-~]{1,200}$/, "1 to 200 letters, digits or signs without spaces")),
  scopes: Schema.optionalKey(Schema.Array(Schema.Literals(scopes)))
})

/** An account with its keys and stock. Without `seller` it only buys; without `keys` it gets one with all scopes. */
const NamedAccount = Schema.Struct({
  username: Schema.NonEmptyString,
  email: Schema.optionalKey(Schema.NonEmptyString),
  country: Schema.optionalKey(Country),
  seller: Schema.optionalKey(
    Schema.Struct({ type: SellerType, currency: MarketCurrency, staged: Schema.optionalKey(Schema.Boolean) })
  ),
  keys: Schema.optionalKey(Schema.NonEmptyArray(Key)),
  shipping: Selling.fields.shipping,
  stock: Schema.optionalKey(Schema.Array(NewLine))
})
export type NamedAccount = typeof NamedAccount.Type

const Accounts = Schema.Struct({ accounts: Schema.NonEmptyArray(NamedAccount) })

/** Initial accounts of a market. `source` names the file in messages. */
export interface AccountsFile {
  readonly source: string
  readonly accounts: ReadonlyArray<NamedAccount>
}

/** Checks accounts and refuses unknown keys. */
export const checkAccounts = (source: string, value: unknown): Effect.Effect<AccountsFile, AccountsInvalid> =>
  Schema.decodeUnknownEffect(Accounts, { onExcessProperty: "error" })(value).pipe(
    Effect.map(({ accounts }) => ({ source, accounts })),
    Effect.mapError(({ issue }) => {
      const { path, reason = "it is not a list of accounts" } = firstFault(issue)
      return new AccountsInvalid({ source, path, reason })
    })
  )

/** Reads accounts from a JSON file. */
export const readAccountsFile = Effect.fnUntraced(function* (file: string) {
  const source = `The accounts file ${file}`
  const value = yield* readUserFile(file, (reason) => new AccountsInvalid({ source, path: "", reason }))
  return yield* checkAccounts(source, value)
})
