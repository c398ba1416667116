import { Result } from "effect"
import type { LineErrorCode } from "../contract/inventory/LineRequests.ts"
import type { SoldProduct } from "../catalogue/soldProducts.ts"
import type { LineState } from "./LineRow.ts"

/** Why a line cannot be as requested. */
export interface LineRefused {
  readonly code: LineErrorCode
  readonly data: Readonly<Record<string, unknown>>
}

export const refused = (code: LineErrorCode, data: LineRefused["data"] = {}): LineRefused => ({ code, data })

type Identity = Pick<LineState, "finish" | "condition" | "language" | "grading_service">

/**
 * Whether the product exists like this: its finish, its language, and a raw
 * card's condition or a slab's grade, but not both. A sealed product has neither, and needs no language.
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
