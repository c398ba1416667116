import { Result } from "effect"
import type { NewLine, LineErrorCode } from "../contract/inventory/InventoryLine.ts"
import type { SoldProduct } from "../catalogue/soldProducts.ts"
import { type Transaction, toCents, type Store } from "../state/State.ts"
import { findByCustomId, shownLine, type LineState, toSlab } from "./LineRow.ts"
import { makeQuantityLog, addUnits } from "./putLine.ts"
import { findLabel } from "./labels.ts"
import { SellerAccountNotActive } from "../contract/account/accountOperations.ts"
import { CurrencyMismatch } from "../contract/inventory/InventoryErrors.ts"
import type { Money } from "../contract/Money.ts"
import { findAccount, isSeller, type SellerRow } from "../accounts/accounts.ts"

/** Returns the account as a seller. An unfinished, suspended or banned one is refused; a vacation does not matter. */
export const checkSeller = (store: Store, accountId: string): Result.Result<SellerRow, SellerAccountNotActive> => {
  const account = findAccount(store, accountId)
  if (!isSeller(account)) {
    return Result.fail(new SellerAccountNotActive({ message: "The account does not sell", data: {} }))
  }
  const { seller_stage, seller_status } = account
  const state = seller_stage === "staged" ? "staged" : seller_status
  return state === "active" || state === "paused"
    ? Result.succeed(account)
    : Result.fail(new SellerAccountNotActive({ message: `The seller's account is ${state}`, data: {} }))
}

/** Refuses prices that are not in the seller's currency. */
export const checkCurrency = (seller: SellerRow, price: Money): Result.Result<void, CurrencyMismatch> => {
  const data = { provided: price.currency, expected: seller.seller_currency }
  return data.provided === data.expected
    ? Result.succeed(undefined)
    : Result.fail(
        new CurrencyMismatch({ message: `The price is in ${data.provided}, the seller's in ${data.expected}`, data })
      )
}

/** The reason why a line was refused. */
export interface LineRefused {
  readonly code: LineErrorCode
  readonly data: Readonly<Record<string, unknown>>
}

const refused = (code: LineErrorCode, data: LineRefused["data"] = {}): LineRefused => ({ code, data })

type Identity = Pick<LineState, "finish" | "condition" | "language" | "grading_service">

/**
 * Checks that the product has this finish and language, and that a card has either a condition or a grade. A sealed
 * product has neither and needs no language.
 */
export const checkIdentity = (product: SoldProduct, line: Identity): Result.Result<void, LineRefused> => {
  const { condition, finish, grading_service, language } = line
  const isPrinted = language === null || product.languages.length === 0 || product.languages.includes(language)
  if (!isPrinted || (product.isCard && language === null)) {
    return Result.fail(refused("INVALID_LANGUAGE", { language, allowed: product.languages }))
  }
  if (!product.finishes.includes(finish)) {
    return Result.fail(refused("INVALID_FINISH", { finish, allowed: product.finishes }))
  }
  const graded = grading_service !== null
  if ((condition !== null && graded) || (!product.isCard && (condition !== null || graded))) {
    return Result.fail(refused("INVALID_IDENTITY"))
  }
  return product.isCard && condition === null && !graded
    ? Result.fail(refused("CONDITION_REQUIRED"))
    : Result.succeed(undefined)
}

/** Returns the ids of a line's labels. Labels that the account lacks are refused. */
export const labelIds = (
  tx: Transaction,
  accountId: string,
  { location, tags = [] }: { readonly location?: string | null; readonly tags?: ReadonlyArray<string> }
): Result.Result<{ readonly locationId?: string; readonly tagIds: ReadonlyArray<string> }, LineRefused> =>
  Result.gen(function* () {
    const place = location == null ? undefined : findLabel(tx, { accountId, kind: "location" }, location)
    if (location != null && place === undefined) {
      return yield* Result.fail(refused("LOCATION_NOT_FOUND", { name: location }))
    }
    const tagIds: Array<string> = []
    for (const name of tags) {
      const tag = findLabel(tx, { accountId, kind: "tag" }, name)
      if (tag === undefined) return yield* Result.fail(refused("TAG_NOT_FOUND", { name }))
      tagIds.push(tag.id)
    }
    return { ...(place === undefined ? {} : { locationId: place.id }), tagIds }
  })

interface LineToStore {
  readonly line: NewLine
  readonly product: SoldProduct
  readonly leastQuantity?: number
}

/** Returns the line to store, with its tags. Labels that the account lacks are refused. */
export const newLineState = (
  tx: Transaction,
  accountId: string,
  { leastQuantity: minQuantity = 1, line, product }: LineToStore
): Result.Result<{ readonly state: LineState; readonly tagIds: ReadonlyArray<string> }, LineRefused> =>
  Result.gen(function* () {
    const { comment = null, condition = null, customId = null, graded = null, language = null, notes = null } = line
    const state = {
      product_id: product.id,
      finish: line.finish,
      condition,
      language,
      ...toSlab(graded),
      price_cents: line.listing == null ? null : toCents(line.listing.price.amount),
      game: product.gameId,
      custom_id: customId,
      comment,
      notes
    }
    yield* checkIdentity(product, state)
    if (!Number.isSafeInteger(line.quantity) || line.quantity < minQuantity) {
      return yield* Result.fail(refused("INVALID_QUANTITY", { quantity: line.quantity }))
    }
    if (customId !== null && findByCustomId(tx, accountId, customId) !== undefined) {
      return yield* Result.fail(refused("CUSTOM_ID_CONFLICT", { customId }))
    }
    const { locationId, tagIds } = yield* labelIds(tx, accountId, line)
    return { state: { ...state, location_id: locationId ?? null }, tagIds }
  })

export const formatProductId = (id: NewLine["productId"]): string => BigInt(id).toString()

/** Requested lines with their live products, and the origin of links. */
interface LinesRequest {
  readonly lines: ReadonlyArray<NewLine>
  readonly products: ReadonlyMap<string, SoldProduct>
  readonly origin: string
}

/**
 * Creates the valid lines and returns the others with reasons. A line equal to an existing one adds to it.
 * Beyond the spec: section 10.
 */
export const createLines = (tx: Transaction, accountId: string, { lines, origin, products }: LinesRequest) =>
  Result.gen(function* () {
    // Only lines with a listing need a seller.
    for (const { listing } of lines) {
      if (listing != null) yield* checkCurrency(yield* checkSeller(tx, accountId), listing.price)
    }
    const log = makeQuantityLog()
    const ids: Array<string> = []
    const errors: Array<LineRefused & { readonly index: number }> = []
    for (const [index, line] of lines.entries()) {
      const product = products.get(formatProductId(line.productId))
      const checked =
        product === undefined
          ? Result.fail(refused("PRODUCT_NOT_FOUND", { productId: Number(line.productId) }))
          : newLineState(tx, accountId, { line, product })
      if (Result.isFailure(checked)) {
        errors.push({ index, ...checked.failure })
        continue
      }
      const { state, tagIds } = checked.success
      const added = addUnits({ tx, log, accountId }, state, { quantity: line.quantity, tagIds })
      if (Result.isSuccess(added)) ids.push(added.success)
      else errors.push({ index, ...refused("INVALID_QUANTITY", { quantity: line.quantity }) })
    }
    log.emit(tx, accountId, "edit")
    return { created: ids.map((id) => shownLine(tx, id, origin)), errors }
  })
