import { ownText } from "../../../feed/disk/ownText.ts"
import { type SourceTitles, sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import {
  type HoldRule,
  type JudgedManifest,
  type JudgedNight,
  percentsApart,
  percentage,
  type Row,
  nightTitles
} from "./HoldRule.ts"

/** Products of a game with a price of one source, before and after. */
interface Coverage {
  readonly source: string
  readonly before: number
  readonly after: number
  /** Products that have a block of the source now, with or without a price. */
  readonly blocks: number
  /** Products that have any figure of the source above 0 now. */
  readonly figures: number
}

/** Returns the coverage of every price source in either snapshot, from the rows of the rule's query. */
export const coverageIn = (
  { manifest, previous }: Pick<JudgedNight, "manifest" | "previous">,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Coverage> => {
  const share = (count: unknown, { tables }: JudgedManifest) =>
    Number(count) / Math.max(1, tables["products"]?.rows ?? 0)
  return rows.map((row) => ({
    source: String(row["source"]),
    before: share(row["before"], previous ?? manifest),
    after: share(row["after"], manifest),
    blocks: Number(row["blocks"]),
    figures: Number(row["figures"])
  }))
}

/** Returns a sentence for blocks without any price in the game. If it was so before, a user has accepted it. */
const unpriced = (isFirst: boolean, coverage: ReadonlyArray<Coverage>, titles: SourceTitles): ReadonlyArray<string> => {
  const withBlocks = coverage.filter(({ blocks }) => blocks > 0)
  const isSeen = !isFirst && coverage.every(({ before }) => before === 0)
  if (withBlocks.length === 0 || isSeen || withBlocks.some(({ figures }) => figures > 0)) return []
  const blocks = withBlocks.map(({ blocks, source }) => `${sourceTitle(titles, source)} for ${blocks} products`)
  return [`there are price blocks (${blocks.join(", ")}) but no price above 0 in any of them`]
}

/** A source prices a much smaller share of the products than before, or none; the bound is in percentage points. */
export const coverage: HoldRule = {
  name: "coverage",
  bound: 0.2,
  sql: ownText(new URL("./coverage.sql", import.meta.url)),
  judges: "every night",
  onPage: "may be held",
  look: "changes",
  sentences: (night, rows, bound) => {
    const isFirst = night.previous === null
    const titles = nightTitles(night)
    const found = coverageIn(night, rows)
    const drops = found
      .filter(({ after, before }) => !isFirst && before - after > bound)
      .map(({ after, before, source }) => {
        const [now, earlier] = percentsApart(after, before)
        return `${sourceTitle(titles, source)} prices ${now} of the products, down from ${earlier}: over ${percentage(bound)} percentage points less`
      })
    return [...drops, ...unpriced(isFirst, found, titles)]
  }
}
