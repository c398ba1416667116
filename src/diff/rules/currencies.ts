import { readFileSync } from "node:fs"
import { dialectOf } from "../../contract/dialects.ts"
import { titleOf, titlesIn } from "../../contract/sourceTitles.ts"
import { type HoldRule, slips } from "./HoldRule.ts"

/** A price source, or a region of the marketplace, has its prices in another currency than before. */
export const currencies: HoldRule = {
  name: "currencies",
  bound: null,
  sql: readFileSync(new URL("./currencies.sql", import.meta.url), "utf8"),
  judges: "later nights",
  sentences: ({ manifest }, rows) => {
    const titles = titlesIn(dialectOf(manifest.dialect))
    return rows
      .filter(({ moved, prices }) => Number(moved) / Number(prices) > slips)
      .map(
        ({ moved, new: currency, old, prices, source }) =>
          `${titleOf(titles, String(source))} has ${moved} of ${prices} prices in ${currency} that were in ${old}`
      )
  }
}
