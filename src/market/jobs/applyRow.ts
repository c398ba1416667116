import { Result } from "effect"
import type { BadRequest } from "../../feed/contract/Errors.ts"
import type { SoldProduct } from "../catalogue/soldProducts.ts"
import {
  checkIdentity,
  labelIds,
  type LineRefused,
  newLineState,
  checkCurrency,
  type checkSeller
} from "../inventory/createLines.ts"
import { findByCustomId, type LineRow, type LineState, toSlab } from "../inventory/LineRow.ts"
import { type QuantityLog, addUnits, findEquals, setQuantity, setTags, updateUnits } from "../inventory/putLine.ts"
import { toCents, type Transaction } from "../state/State.ts"
import type { ImportRow, RowRefused } from "./ImportRow.ts"

/** Values shared by all rows of an import. */
interface ImportWrite {
  readonly tx: Transaction
  readonly log: QuantityLog
  readonly accountId: string
  /** The seller, needed only by rows with a price. */
  readonly seller: ReturnType<typeof checkSeller>
  /** Only for `replace`: true at the first mention of a line, which then sets the quantity instead of adding. */
  readonly mention: ((lineId: string) => boolean) | undefined
}

const refusal = ({ code, data }: LineRefused): RowRefused => ({
  code,
  message: Object.keys(data).length === 0 ? code : `${code} ${JSON.stringify(data)}`
})

const tooMany = ({ message }: BadRequest): RowRefused => ({ code: "INVALID_QUANTITY", message })

const productMissing = ({ customId, productId, sourceEur, sourceUsd }: ImportRow): RowRefused => {
  const id = productId ?? sourceEur ?? sourceUsd
  const line = customId === undefined ? "" : `no line has the customId ${customId}, and `
  const message = id === undefined ? `${line}the row names no product` : `no product has the id ${id}`
  return { code: "PRODUCT_NOT_FOUND", message }
}

/** Returns the new condition and slab. Setting one clears the other. */
const chooseGrading = ({ condition, graded }: ImportRow): Partial<LineState> => {
  if (graded === undefined && condition === undefined) return {}
  return { condition: condition ?? null, ...toSlab(graded) }
}

/** Sets the line with a customId. Empty fields of the row leave it unchanged. */
const setLine = (
  { log, tx }: ImportWrite,
  line: LineRow,
  { product, row }: { readonly row: ImportRow; readonly product: SoldProduct | undefined }
): Result.Result<string, RowRefused> =>
  Result.gen(function* () {
    const state: LineState = {
      ...line,
      ...chooseGrading(row),
      ...(product === undefined ? {} : { product_id: product.id, game: product.gameId }),
      finish: row.finish ?? line.finish,
      language: row.language ?? line.language,
      comment: row.comment ?? line.comment,
      notes: row.notes ?? line.notes,
      price_cents: row.price === undefined ? line.price_cents : toCents(row.price.amount)
    }
    if (product !== undefined) yield* Result.mapError(checkIdentity(product, state), refusal)
    const { locationId = state.location_id, tagIds } = yield* Result.mapError(
      labelIds(tx, line.account_id, row),
      refusal
    )
    const located = { ...state, location_id: locationId }
    yield* Result.mapError(
      updateUnits({ tx, log }, line, { state: located, quantity: row.quantity ?? line.quantity }),
      tooMany
    )
    if (tagIds.length > 0) setTags(tx, line.id, tagIds)
    return line.id
  })

const addLine = (
  { accountId, log, mention, tx }: ImportWrite,
  row: ImportRow,
  product: SoldProduct
): Result.Result<string, RowRefused> =>
  Result.gen(function* () {
    const { quantity = 0, price, sourceEur: _eur, sourceUsd: _usd, ...fields } = row
    // A row needs no finish if the product has only one.
    const finish = row.finish ?? (product.finishes.length === 1 ? product.finishes[0] : undefined) ?? ""
    const line = {
      ...fields,
      productId: product.id,
      finish,
      quantity,
      ...(price === undefined ? {} : { listing: { price } })
    }
    const { state, tagIds } = yield* Result.mapError(
      newLineState(tx, accountId, { line, product, leastQuantity: 0 }),
      refusal
    )
    // Rows of several equal lines set one line each.
    const equal = mention === undefined ? undefined : findEquals(tx, accountId, state).find(({ id }) => mention(id))
    if (equal !== undefined) {
      setQuantity({ tx, log }, equal, quantity)
      return equal.id
    }
    return yield* Result.mapError(addUnits({ tx, log, accountId }, state, { quantity, tagIds }), tooMany)
  })

/**
 * Applies a row: a known customId sets its line, an unknown one creates a line, and without customId units are added.
 * Returns the line. A refused row writes nothing. Beyond the spec: section 11.
 */
export const applyRow = (
  write: ImportWrite,
  row: ImportRow,
  product: SoldProduct | undefined
): Result.Result<string, RowRefused> =>
  Result.gen(function* () {
    const { accountId, mention, seller, tx } = write
    const { price } = row
    if (price !== undefined) {
      const listed = Result.flatMap(seller, (account) => checkCurrency(account, price))
      yield* Result.mapError(listed, ({ code, message }) => ({ code, message }))
    }
    const named = [row.productId, row.sourceEur, row.sourceUsd].some((id) => id !== undefined)
    const known = row.customId === undefined ? undefined : findByCustomId(tx, accountId, row.customId)
    // A refused row also mentions its line, so that `replace` leaves it unchanged.
    if (known !== undefined) mention?.(known.id)
    if (product === undefined && (named || known === undefined)) return yield* Result.fail(productMissing(row))
    if (product !== undefined && known === undefined) {
      if (row.quantity === undefined) {
        return yield* Result.fail({ code: "INVALID_QUANTITY", message: "quantity: is missing" })
      }
      const id = yield* addLine(write, row, product)
      mention?.(id)
      return id
    }
    if (known === undefined) return yield* Result.fail(productMissing(row))
    return yield* setLine(write, known, { row, product })
  })
