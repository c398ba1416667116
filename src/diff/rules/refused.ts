import { offsetListNames } from "../../client/offsetLists.ts"
import { type HoldRule, percent } from "./HoldRule.ts"

/** The contract refuses too large a share of the records of all lists. */
export const refused: HoldRule = {
  name: "refused",
  bound: 0.01,
  sql: null,
  judges: "every night",
  sentences: ({ manifest }, _rows, bound) => {
    const accepted = offsetListNames.reduce((sum, list) => sum + (manifest.tables[list]?.rows ?? 0), 0)
    const share = manifest.refused / Math.max(1, accepted + manifest.refused)
    if (share <= bound) return []
    const were = manifest.refused === 1 ? "record was" : "records were"
    return [`${manifest.refused} ${were} refused (${percent(share)}), more than ${percent(bound)}`]
  }
}
