import { ownText } from "../../../feed/disk/ownText.ts"
import { sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { type HoldRule, nightTitles } from "./HoldRule.ts"

/** The currency of a price source, or of a region of the marketplace, has changed. */
export const currencies: HoldRule = {
  name: "currencies",
  bound: null,
  sql: ownText(new URL("./currencies.sql", import.meta.url)),
  judges: "later nights",
  onPage: "may be held",
  look: "changes",
  sentences: (night, rows) => {
    const titles = nightTitles(night)
    return rows
      .filter(({ moved, prices }) => Number(moved) / Number(prices) > night.slips)
      .map(
        ({ moved, new: currency, old, prices, source }) =>
          `${sourceTitle(titles, String(source))} has ${moved} of ${prices} prices in ${currency} that were in ${old}`
      )
  }
}
