import { readFileSync } from "node:fs"
import { dialectOf } from "../../../feed/contract/dialect/dialectFrom.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { type HoldRule, type JudgedManifest, strangeSentences } from "./HoldRule.ts"

/** A path in the spec's words as the pages, or the feed files, have it. */
const onWire = (path: string, manifest: JudgedManifest): string => {
  const { blocks } = dialectOf(manifest)
  const worded = path.replace(/^(prices|pricesByFinish\.\*)\.(\w+)/, (_, place: string, word: keyof typeof blocks) => {
    return `${place}.${blocks[word]}`
  })
  return manifest.via === "feeds" ? worded.replace(/^prices\./, "pricesByFinish.*.") : worded
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
  onPage: "held",
  dialectHelps: "unknown words",
  sentences: (night, rows) =>
    strangeSentences(night, rows, {
      what: "price figures",
      nameOf: ({ key, missing }) =>
        `${shownText(onWire(String(key), night.manifest), 100)} (no ${String(missing)} beside it)`
    })
}
