import { ownText } from "../../../feed/disk/ownText.ts"
import { titleOf } from "../../../feed/contract/sourceTitles.ts"
import { type HoldRule, titlesOf } from "./HoldRule.ts"

/** The currency of a price source, or of a region of the marketplace, has changed. */
export const currencies: HoldRule = {
  name: "currencies",
  bound: null,
  sql: ownText(new URL("./currencies.sql", import.meta.url)),
  judges: "later nights",
  onPage: "may be held",
  look: "changes",
  sentences: (night, rows) => {
    const titles = titlesOf(night)
    return rows
      .filter(({ moved, prices }) => Number(moved) / Number(prices) > night.slips)
      .map(
        ({ moved, new: currency, old, prices, source }) =>
          `${titleOf(titles, String(source))} has ${moved} of ${prices} prices in ${currency} that were in ${old}`
      )
  }
}
