import { readFileSync } from "node:fs"
import { shownText } from "../../../feed/contract/shownText.ts"
import { unknownWords } from "../../lake/snapshot/heldAdvice.ts"
import { type HoldRule, percent, slips } from "./HoldRule.ts"

/** Keys that a reason names. */
const maxNamed = 5

/**
 * Prices and ids are under keys that the contract does not know, such as `pricesByFinish.*.harbour`, so no table has
 * them, and in the published night they were not. Whoever released a night with them knows about them.
 */
export const strangeKeys: HoldRule = {
  name: "strange keys",
  bound: null,
  sql: readFileSync(new URL("./strangeKeys.sql", import.meta.url), "utf8"),
  judges: "every night",
  sentences: ({ manifest, previous }, rows) => {
    const keys = rows.flatMap(({ key }) => (key === null ? [] : [String(key)]))
    const products = Number(rows.find(({ key }) => key === null)?.["products"] ?? 0)
    const share = products / Math.max(1, manifest.tables["products"]?.rows ?? 0)
    if (share <= slips) return []
    const named = keys.slice(0, maxNamed).map((key) => shownText(key, 100))
    const more = keys.length > maxNamed ? ` and ${keys.length - maxNamed} more` : ""
    const have = previous === null ? "have" : "now have"
    return [
      `${percent(share)} of the products ${have} prices or external ids ${unknownWords}, so no table has them: ${named.join(", ")}${more}`
    ]
  }
}
