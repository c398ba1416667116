import { ownText } from "../../../feed/disk/ownText.ts"
import { chooseDialect } from "../../../feed/contract/dialect/DialectFile.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { type HoldRule, type JudgedManifest, unknownKeySentences } from "./HoldRule.ts"

/** Translates a path from the spec's names to those of the pages or feed files. */
const onWire = (path: string, manifest: JudgedManifest): string => {
  const { blocks } = chooseDialect(manifest)
  const worded = path.replace(/^(prices|pricesByFinish\.\*)\.(\w+)/, (_, place: string, word: keyof typeof blocks) => {
    return `${place}.${blocks[word]}`
  })
  return manifest.via === "feeds" ? worded.replace(/^prices\./, "pricesByFinish.*.") : worded
}

/**
 * Known price blocks have figures under unknown keys, e.g. `pricesByFinish.*.sourceEur.bounds`, and lack the known
 * figures, so these are missing in the tables. A figure in addition to all known ones is no problem.
 */
export const strangeFigures: HoldRule = {
  name: "strange figures",
  bound: null,
  sql: ownText(new URL("./strangeFigures.sql", import.meta.url)),
  needs:
    "from after.source_prices select 1 where extra is not null union all from after.marketplace_prices select 1 where extra is not null",
  judges: "every night",
  onPage: "held",
  look: "unknown keys",
  sentences: (night, rows) =>
    unknownKeySentences(night, rows, {
      what: "price figures",
      nameOf: ({ key, missing }) =>
        `${shownText(onWire(String(key), night.manifest), 100)} (no ${String(missing)} beside it)`
    })
}
