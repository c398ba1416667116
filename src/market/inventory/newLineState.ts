import { Result } from "effect"
import type { NewLine } from "../contract/inventory/LineRequests.ts"
import type { SoldProduct } from "../catalogue/soldProducts.ts"
import { centsOf, type Transaction } from "../state/State.ts"
import { findLabel } from "./labels.ts"
import { checkIdentity, type LineRefused, refused } from "./lineIdentity.ts"
import type { LineState } from "./LineRow.ts"

interface AskedLine {
  readonly line: NewLine
  readonly product: SoldProduct
  readonly leastQuantity?: number
}

/** The line as it would be stored, with its tags. What the account lacks is refused. */
export const newLineState = (
  tx: Transaction,
  accountId: string,
  { leastQuantity = 1, line, product }: AskedLine
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
    if (!Number.isSafeInteger(line.quantity) || line.quantity < leastQuantity) {
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
    const location = line.location == null ? undefined : findLabel(tx, { accountId, kind: "location" }, line.location)
    if (line.location != null && location === undefined) {
      return yield* Result.fail(refused("LOCATION_NOT_FOUND", { name: line.location }))
    }
    const tagIds: Array<string> = []
    for (const name of line.tags ?? []) {
      const tag = findLabel(tx, { accountId, kind: "tag" }, name)
      if (tag === undefined) return yield* Result.fail(refused("TAG_NOT_FOUND", { name }))
      tagIds.push(tag.id)
    }
    return { state: { ...state, location_id: location?.id ?? null }, tagIds }
  })
