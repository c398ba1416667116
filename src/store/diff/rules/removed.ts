import { type HoldRule, percent } from "./HoldRule.ts"

/** Too large a share of the game's products disappears without the changelog saying so. Design: decision 8. */
export const removed: HoldRule = {
  name: "removed",
  bound: 0.05,
  sql: null,
  judges: "every night",
  onPage: "may be held",
  look: "changes",
  sentences: ({ diff, previous }, _rows, bound) => {
    const before = previous?.tables["products"]?.rows ?? 0
    const disappeared = diff?.unclaimedRemovals ?? 0
    if (before === 0 || disappeared / before <= bound) return []
    return [`${disappeared} of ${before} products disappeared without a changelog entry, more than ${percent(bound)}`]
  }
}
