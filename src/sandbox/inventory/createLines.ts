import { Result } from "effect"
import type { NewLine } from "../../contract/inventory/LineRequests.ts"
import type { SoldProduct } from "../catalogue/soldProducts.ts"
import { centsOf } from "../state/cents.ts"
import type { Transaction } from "../state/State.ts"
import { checkIdentity, type LineRefused, refused } from "./lineIdentity.ts"
import { findLabel } from "./labels.ts"
import { type LineState, shownLine } from "./LineRow.ts"
import { addUnits } from "./putLine.ts"
import { makeQuantityLog } from "./QuantityLog.ts"
import { checkCurrency, checkSeller } from "./sellerChecks.ts"

export const productIdOf = (id: NewLine["productId"]): string => BigInt(id).toString()

/** The line as it would be stored, with its tags. What the account lacks is refused. */
const stateOf = (
  tx: Transaction,
  accountId: string,
  line: NewLine,
  product: SoldProduct
): Result.Result<{ readonly state: LineState; readonly tagIds: ReadonlyArray<string> }, LineRefused> =>
  Result.gen(function* () {
    const { comment = null, condition = null, customId = null, graded = null, language = null, notes = null } = line
    const state = {
      product_id: product.id,
      finish: line.finish,
      condition,
      language,
      grading_service: graded?.gradingService ?? null,
      grade: graded?.grade ?? null,
      certification: graded?.certification ?? null,
      price_cents: line.listing == null ? null : centsOf(line.listing.price.amount),
      game: product.gameId,
      custom_id: customId,
      comment,
      notes
    }
    yield* checkIdentity(product, state)
    if (!Number.isSafeInteger(line.quantity) || line.quantity < 1) {
      return yield* Result.fail(refused("INVALID_QUANTITY", { quantity: line.quantity }))
    }
    if (
      customId !== null &&
      tx.one("select id from inventory_lines where account_id = :accountId and custom_id = :customId", {
        accountId,
        customId
      }) !== undefined
    ) {
      return yield* Result.fail(refused("CUSTOM_ID_CONFLICT", { customId }))
    }
    const location = line.location == null ? undefined : findLabel(tx, accountId, "location", line.location)
    if (line.location != null && location === undefined) {
      return yield* Result.fail(refused("LOCATION_NOT_FOUND", { name: line.location }))
    }
    const tagIds: Array<string> = []
    for (const name of line.tags ?? []) {
      const tag = findLabel(tx, accountId, "tag", name)
      if (tag === undefined) return yield* Result.fail(refused("TAG_NOT_FOUND", { name }))
      tagIds.push(tag.id)
    }
    return { state: { ...state, location_id: location?.id ?? null }, tagIds }
  })

/**
 * Creates what can be created; the rest comes back with its reason. A line equal to another one adds to it.
 * Beyond the spec: section 10.
 */
export const createLines = (
  tx: Transaction,
  accountId: string,
  lines: ReadonlyArray<NewLine>,
  products: ReadonlyMap<string, SoldProduct>,
  origin: string
) =>
  Result.gen(function* () {
    const seller = yield* checkSeller(tx, accountId)
    for (const { listing } of lines) if (listing != null) yield* checkCurrency(seller, listing.price)
    const log = makeQuantityLog()
    const ids: Array<string> = []
    const errors: Array<LineRefused & { readonly index: number }> = []
    for (const [index, line] of lines.entries()) {
      const product = products.get(productIdOf(line.productId))
      const checked =
        product === undefined
          ? Result.fail(refused("PRODUCT_NOT_FOUND", { productId: Number(line.productId) }))
          : stateOf(tx, accountId, line, product)
      if (Result.isFailure(checked)) {
        errors.push({ index, ...checked.failure })
        continue
      }
      const { state, tagIds } = checked.success
      ids.push(addUnits(tx, log, accountId, state, tagIds, line.quantity))
    }
    log.emit(tx, accountId, "edit")
    return { created: ids.map((id) => shownLine(tx, id, origin)), errors }
  })
