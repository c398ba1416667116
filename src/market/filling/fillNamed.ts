import { Effect, Result } from "effect"
import { addKey, findCaller, makeAccount } from "../accounts/accounts.ts"
import { soldProducts, type SoldProduct } from "../catalogue/soldProducts.ts"
import { setSelling } from "../buying/buyingControl.ts"
import { createLabel } from "../inventory/labels.ts"
import { createLines, formatProductId } from "../inventory/createLines.ts"
import { State, type Transaction } from "../state/State.ts"
import { type AccountsFile, AccountsInvalid, type NamedAccount } from "./AccountsFile.ts"

/** Returns the default key of a named account, equal at each start. */
const namedKey = (username: string): string => `cl_sandbox_${username.replaceAll(/[^!-~]/g, "-")}`

/** Returns the keys of a named account. */
export const listKeys = ({ keys, username }: NamedAccount) => keys ?? [{ key: namedKey(username) }]

interface Fault {
  readonly path: string
  readonly reason: string
}

const fail = (path: string, reason: string) => Result.fail<Fault>({ path, reason })

const addStock = (
  tx: Transaction,
  accountId: string,
  lines: NonNullable<NamedAccount["stock"]>,
  products: ReadonlyMap<string, SoldProduct>
): Result.Result<void, Fault> =>
  Result.gen(function* () {
    const upsert = true
    for (const { location, tags = [] } of lines) {
      if (location != null) createLabel(tx, { accountId, kind: "location" }, { name: location, upsert })
      for (const name of tags) createLabel(tx, { accountId, kind: "tag" }, { name, upsert })
    }
    const { errors } = yield* Result.mapError(
      createLines(tx, accountId, { lines, products, origin: "" }),
      ({ message }) => ({ path: "stock", reason: message })
    )
    const [first] = errors
    if (first !== undefined) yield* fail(`stock.${first.index}`, `${first.code} ${JSON.stringify(first.data)}`)
  })

const addAccount = (
  tx: Transaction,
  named: NamedAccount,
  products: ReadonlyMap<string, SoldProduct>
): Result.Result<void, Fault> =>
  Result.gen(function* () {
    const { country, email, seller, shipping, stock = [], username } = named
    if (tx.one("select id from accounts where username = :username", { username }) !== undefined) {
      return yield* fail("username", `${username} is taken`)
    }
    const { id } = makeAccount(tx, {
      username,
      ...(country === undefined ? {} : { country }),
      ...(email === undefined ? {} : { email }),
      ...(seller === undefined ? {} : { seller })
    })
    for (const [at, { key, scopes = ["*"] }] of listKeys(named).entries()) {
      if (findCaller(tx, key) !== undefined) return yield* fail(`keys.${at}.key`, "another account has it")
      addKey(tx, id, { secret: key, scopes })
    }
    if (shipping !== undefined) {
      yield* Result.mapError(setSelling(tx, id, { shipping }), ({ message }) => ({ path: "shipping", reason: message }))
    }
    return yield* addStock(tx, id, stock, products)
  })

/** Creates the accounts of a file with keys and stock: all or none. */
export const fillNamed = Effect.fnUntraced(function* ({ accounts, source }: AccountsFile) {
  const { write } = yield* State
  const lines = accounts.flatMap(({ stock = [] }) => stock)
  const products = yield* soldProducts(lines.map(({ productId }) => formatProductId(productId)))
  yield* write((tx) =>
    Result.gen(function* () {
      for (const [at, account] of accounts.entries()) {
        yield* Result.mapError(
          addAccount(tx, account, products),
          ({ path, reason }) => new AccountsInvalid({ source, path: `accounts.${at}.${path}`, reason })
        )
      }
    })
  )
})
