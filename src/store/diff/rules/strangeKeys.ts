import { readFileSync } from "node:fs"
import { shownText } from "../../../feed/contract/shownText.ts"
import { type HoldRule, unknownKeySentences } from "./HoldRule.ts"

/**
 * Prices and ids are under keys that the contract does not know, e.g. `pricesByFinish.*.harbour`, so no table has
 * them. Keys that the published night already had are accepted.
 */
export const strangeKeys: HoldRule = {
  name: "strange keys",
  bound: null,
  sql: readFileSync(new URL("./strangeKeys.sql", import.meta.url), "utf8"),
  judges: "every night",
  onPage: "held",
  dialectHelps: "unknown words",
  sentences: (night, rows) =>
    unknownKeySentences(night, rows, {
      what: "prices or external ids",
      nameOf: ({ key }) => shownText(String(key), 100)
    })
}
