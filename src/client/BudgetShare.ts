import { Context } from "effect"

/** Which part of the marketplace's limits this program may use; all of them by default. Above 0, and at most 1. */
export const BudgetShare = Context.Reference<number>("cardlake/client/BudgetShare", { defaultValue: () => 1 })
