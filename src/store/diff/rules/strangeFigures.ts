import { readFileSync } from "node:fs"
import { dialectOf } from "../../../feed/contract/dialect/dialectFrom.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import type { Manifest } from "../../home/Manifest.ts"
import { unknownWords } from "../../lake/snapshot/heldAdvice.ts"
import { type HoldRule, percent, slips } from "./HoldRule.ts"

/** Keys that a reason names. */
const maxNamed = 5

/** A path in the spec's words as the pages, or the feed files, have it. */
const onWire = (path: string, manifest: Manifest): string => {
  const { blocks } = dialectOf(manifest)
  const worded = path.replace(/^(prices|pricesByFinish\.\*)\.(\w+)/, (_, place: string, word: keyof typeof blocks) => {
    return `${place}.${blocks[word]}`
  })
  return manifest.road === "feeds" ? worded.replace(/^prices\./, "pricesByFinish.*.") : worded
}

/**
 * Figures are under keys inside of known price blocks, such as `pricesByFinish.*.sourceEur.bounds`, and what the contract
 * has in their place is nowhere beside them: that is lost. A figure beside all that is known loses nothing.
 */
export const strangeFigures: HoldRule = {
  name: "strange figures",
  bound: null,
  sql: readFileSync(new URL("./strangeFigures.sql", import.meta.url), "utf8"),
  judges: "every night",
  sentences: ({ manifest, previous }, rows) => {
    const products = Number(rows.find(({ key }) => key === null)?.["products"] ?? 0)
    const share = products / Math.max(1, manifest.tables["products"]?.rows ?? 0)
    if (share <= slips) return []
    const keys = rows.flatMap(({ key, missing }) =>
      key === null ? [] : [`${shownText(onWire(String(key), manifest), 100)} (no ${String(missing)} beside it)`]
    )
    const more = keys.length > maxNamed ? ` and ${keys.length - maxNamed} more` : ""
    const have = previous === null ? "have" : "now have"
    return [
      `${percent(share)} of the products ${have} price figures ${unknownWords}, so no table has them: ${keys.slice(0, maxNamed).join(", ")}${more}`
    ]
  }
}
