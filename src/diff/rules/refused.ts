import { speaksOtherwise } from "../../client/MarketplaceError.ts"
import { offsetListNames } from "../../client/offsetLists.ts"
import { type HoldRule, percent } from "./HoldRule.ts"

/** Beyond this share it is not the records that are wrong. */
const mostRecords = 0.5

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
    const said = `${manifest.refused} ${were} refused (${percent(share)}), more than ${percent(bound)}`
    return [share > mostRecords ? `${said}. ${speaksOtherwise}` : said]
  }
}
