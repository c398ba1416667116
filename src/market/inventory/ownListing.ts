import { Result } from "effect"
import type { SellerAccountNotActive } from "../contract/account/accountOperations.ts"
import type { BadRequest, NotFound } from "../../feed/contract/Errors.ts"
import { missing } from "../answers/refusals.ts"
import {
  AlreadyListed,
  type CurrencyMismatch,
  type InsufficientQuantity
} from "../contract/inventory/InventoryErrors.ts"
import type { Money } from "../contract/Money.ts"
import { findAccount, isSeller } from "../accounts/accounts.ts"
import { centsOf } from "../state/State.ts"
import { type ChangedIds, noSuchLine, splitLine, tooFew } from "./changeLine.ts"
import { findLine, type LineRow, type StockWrite } from "./LineRow.ts"
import { updateUnits } from "./putLine.ts"
import { checkCurrency, checkSeller } from "./createLines.ts"

const lineIn = ({ accountId, tx }: StockWrite, id: string): Result.Result<LineRow, NotFound> => {
  const line = findLine(tx, accountId, id)
  return line === undefined ? Result.fail(noSuchLine(id)) : Result.succeed(line)
}

const listedLine = (write: StockWrite, id: string): Result.Result<LineRow, NotFound> =>
  Result.flatMap(lineIn(write, id), (line) =>
    line.price_cents === null
      ? Result.fail(missing(`The line ${id} is not for sale`, { inventoryId: id }))
      : Result.succeed(line)
  )

/** Changes the price of a number of a line's units; if not all, they become a line of their own. */
const setPrice = (
  write: StockWrite,
  line: LineRow,
  { count, price }: { readonly price: number | null; readonly count: number }
): Result.Result<ChangedIds, InsufficientQuantity | BadRequest> => {
  if (count > line.quantity || count === 0) return Result.fail(tooFew(line, Math.max(count, 1)))
  if (count < line.quantity) {
    return splitLine(write, line, { count, part: { ...line, price_cents: price, custom_id: null } })
  }
  const state = { ...line, price_cents: price }
  return Result.map(updateUnits(write, line, { state, quantity: line.quantity }), () => ({
    line: line.id,
    remainder: null
  }))
}

/** Puts a line up for sale, or a number of its units. */
export const listLine = (
  write: StockWrite,
  id: string,
  { price, quantity }: { readonly price: Money; readonly quantity?: number }
): Result.Result<
  ChangedIds,
  NotFound | BadRequest | SellerAccountNotActive | AlreadyListed | CurrencyMismatch | InsufficientQuantity
> =>
  Result.gen(function* () {
    const line = yield* lineIn(write, id)
    yield* checkCurrency(yield* checkSeller(write.tx, write.accountId), price)
    if (line.price_cents !== null) {
      const data = { inventoryId: id }
      return yield* Result.fail(new AlreadyListed({ message: `The line ${id} is for sale already`, data }))
    }
    return yield* setPrice(write, line, { price: centsOf(price.amount), count: quantity ?? line.quantity })
  })

/** Another price for a line that is for sale. */
export const repriceLine = (
  write: StockWrite,
  id: string,
  price: Money
): Result.Result<string, NotFound | BadRequest | CurrencyMismatch> =>
  Result.gen(function* () {
    const line = yield* listedLine(write, id)
    const account = findAccount(write.tx, write.accountId)
    if (isSeller(account)) yield* checkCurrency(account, price)
    yield* updateUnits(write, line, { state: { ...line, price_cents: centsOf(price.amount) }, quantity: line.quantity })
    return id
  })

/** Takes a line off sale, or a number of its units, which join those that are not for sale. */
export const unlistLine = (
  write: StockWrite,
  id: string,
  quantity: number | undefined
): Result.Result<string, NotFound | BadRequest | InsufficientQuantity> =>
  Result.gen(function* () {
    const line = yield* listedLine(write, id)
    if (quantity === undefined && line.quantity === 0) {
      yield* updateUnits(write, line, { state: { ...line, price_cents: null }, quantity: 0 })
      return id
    }
    yield* setPrice(write, line, { price: null, count: quantity ?? line.quantity })
    return id
  })
