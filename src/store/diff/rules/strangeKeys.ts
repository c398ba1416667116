import { ownText } from "../../../feed/disk/ownText.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { type HoldRule, unknownKeySentences } from "./HoldRule.ts"

/**
 * Prices and ids are under keys that the contract does not know, e.g. `pricesByFinish.*.harbour`, so no table has
 * them. Keys that the published night already had are accepted.
 */
export const strangeKeys: HoldRule = {
  name: "strange keys",
  bound: null,
  sql: ownText(new URL("./strangeKeys.sql", import.meta.url)),
  needs: "from after.products select 1 where extra is not null or price_extra is not null",
  judges: "every night",
  onPage: "held",
  look: "unknown keys",
  sentences: (night, rows) =>
    unknownKeySentences(night, rows, {
      what: "prices or external ids",
      nameOf: ({ key }) => shownText(String(key), 100)
    })
}
