import { Context } from "effect"

/** Parts of the marketplace's limits, each above 0 and at most 1. */
export interface BudgetShare {
  /** Of limits that nights need, too. */
  readonly common: number
  /** Of a limit that applies to one operation alone, which no night asks for. */
  readonly own: number
}

/** Which part of the marketplace's limits this program may use; all of them by default. */
export const BudgetShare = Context.Reference<BudgetShare>("cardlake/client/BudgetShare", {
  defaultValue: () => ({ common: 1, own: 1 })
})
