import { Result } from "effect"
import type { NewLine } from "../contract/inventory/LineRequests.ts"
import type { SoldProduct } from "../catalogue/soldProducts.ts"
import type { Transaction } from "../state/State.ts"
import { type LineRefused, refused } from "./lineIdentity.ts"
import { shownLine, makeQuantityLog } from "./LineRow.ts"
import { newLineState } from "./newLineState.ts"
import { addUnits } from "./putLine.ts"
import { checkCurrency, checkSeller } from "./sellerChecks.ts"

export const productIdOf = (id: NewLine["productId"]): string => BigInt(id).toString()

/** New lines with the products that are live, and where links of the answer begin. */
interface AskedLines {
  readonly lines: ReadonlyArray<NewLine>
  readonly products: ReadonlyMap<string, SoldProduct>
  readonly origin: string
}

/**
 * Creates what can be created; the rest comes back with its reason. A line equal to another one adds to it.
 * Beyond the spec: section 10.
 */
export const createLines = (tx: Transaction, accountId: string, { lines, origin, products }: AskedLines) =>
  Result.gen(function* () {
    // Only what is put up for sale needs a seller.
    for (const { listing } of lines) {
      if (listing != null) yield* checkCurrency(yield* checkSeller(tx, accountId), listing.price)
    }
    const log = makeQuantityLog()
    const ids: Array<string> = []
    const errors: Array<LineRefused & { readonly index: number }> = []
    for (const [index, line] of lines.entries()) {
      const product = products.get(productIdOf(line.productId))
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
